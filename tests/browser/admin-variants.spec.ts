import type { Page } from '@playwright/test'
import { errors } from '../../contract/errors.ts'
import { addProduct, deleteProduct, openDetails, restock, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, failing, hold, losing } from './specification-steps.ts'
import { readStock } from './steps.ts'
import { expect, test } from './test.ts'

test('an admin creates S to XXL in two colours, restocks one variant, and the total follows', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of (400|412|500|503)/)
  await page.setViewportSize({ width: 360, height: 800 })
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, {
    name: `Jacket ${Date.now()}`,
    price: 100,
    minimum: 1,
    quantity: 3,
  })
  await page.goto(`/dashboard/edit-product/${product._id}`)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const update = button('Update options')
  const dialog = page.getByRole('dialog')

  await test.step('all combinations are added in one step; the first one has the stock of the product', async () => {
    await page.getByText('Own sizes and colours').click()
    await button('Add sizes and colours').click()
    await dialog.getByRole('textbox', { name: 'Sizes' }).fill('S, M, L, XL, XXL')
    await dialog.getByRole('textbox', { name: 'Colours' }).fill('Black, Lime')
    await expectAccessible(page, 'add sizes and colours')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByLabel(/^Size, row/)).toHaveCount(10)
    await page.getByLabel('Select M, Lime').check()
    await button('Set price').click()
    await dialog.getByRole('textbox', { name: 'Price of 1 selected row' }).fill('99')
    await page.keyboard.press('Enter')
    await update.click()
    await expect(field('Price, row 4')).toHaveAccessibleDescription('At least the price of the product, $100')
    await expect(field('Price, row 4')).toBeFocused()
    await expectAccessible(page, 'variants')
  })

  await test.step('a part number saved with the product does not make the unsaved rows outdated', async () => {
    await field('Part number').fill(`P-${product._id}`)
    await button('Save').click()
    await expect(page.getByText('Product Saved', { exact: true })).toBeVisible()
    await expect(field('Part number, row 1')).toHaveValue(`P-${product._id}`)
    await expect(page.getByLabel(/^Size, row/)).toHaveCount(10)
  })

  await test.step('an error does not lose the unsaved rows', async () => {
    await field('Price, row 4').fill('109.50')
    await field('Part number, row 4').fill(`J-${product._id}`)
    const failure = await failing(page, '**/variants')
    await update.click()
    await expect(page.getByRole('region', { name: 'Options' }).getByRole('alert')).toBeVisible()
    await failure.end()
    await expect(field('Price, row 4')).toHaveValue('109.50')
    await update.press('Enter')
    await expect(page.getByText('Options Saved')).toBeVisible()
    await expect(update).toBeDisabled()
    await expect(update).toBeFocused()
    const saved = await callAs<{ variants: { price: number; quantity: number }[] }>(
      page,
      'GET',
      `/product/${product._id}`,
    )
    expect(saved.variants.map(({ price, quantity }) => [price, quantity]).slice(0, 4)).toEqual([
      [100, 3],
      [100, 0],
      [100, 0],
      [109.5, 0],
    ])
  })

  await test.step('a save in progress ignores typing, because the saved list replaces it, and keeps the selection', async () => {
    const sku = field('Part number, row 5')
    const release = await hold(page, '**/variants')
    await sku.fill(`K-${product._id}`)
    await update.click()
    await expect(update).toHaveAttribute('aria-busy', 'true')
    await sku.pressSequentially('X')
    await expect(sku).toHaveValue(`K-${product._id}`)
    await page.getByLabel('Select M, Lime').check()
    release()
    await expect(update).toHaveAttribute('aria-busy', 'false')
    await expect(update).toBeDisabled()
    await expect(sku).toHaveValue(`K-${product._id}`)
    await expect(page.getByLabel('Select M, Lime')).toBeChecked()
  })

  await test.step('a restock of selected rows changes their stock and the total', async () => {
    await page.getByLabel('Select XXL, Black').check()
    await button('Restock').click()
    await dialog.getByRole('textbox', { name: 'Quantity for each' }).fill('4')
    // After a response that leaves open whether it was saved, the row is not sent again.
    await losing(page, '**/api/update-product/**', 503)
    await dialog.getByRole('button', { name: 'Restock' }).click()
    await expect(dialog.getByText('Check the stock before you try again')).toBeVisible()
    await dialog.getByRole('button', { name: 'Restock' }).click()
    await expect(page.getByText('Restocked')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'XXL, Black' })).toContainText(/Stock4(?!\d)/)
    expect(await readStock(page, product._id)).toBe(11)
  })

  await test.step('a closed restock stops after its running row, and a toast has the result', async () => {
    const startAndClose = async () => {
      await button('Restock').click()
      await dialog.getByRole('textbox', { name: 'Quantity for each' }).fill('1')
      await dialog.getByRole('button', { name: 'Restock' }).click()
      await expect(dialog.getByRole('button', { name: 'Restock' })).toHaveAttribute('aria-busy', 'true')
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }
    const release = await hold(page, '**/api/update-product/**')
    await startAndClose()
    release()
    await expect(page.getByText('1 of 2 restocked')).toBeVisible()
    expect(await readStock(page, product._id)).toBe(12)
    const failure = Promise.withResolvers<void>()
    const { status, message } = errors.INTERNAL
    await page.route(
      '**/api/update-product/**',
      async (route) => {
        await failure.promise
        await route.fulfill({ status, json: { code: 'INTERNAL', message } })
      },
      { times: 1 },
    )
    await startAndClose()
    failure.resolve()
    await expect(page.getByText(/^0 of 2 restocked\. M, Lime: .*Check the stock/)).toBeVisible()
    expect(await readStock(page, product._id)).toBe(12)
  })

  await test.step('a change of someone else is not overwritten, and the own changes stay', async () => {
    await button('Move down S, Black').click()
    await expect(button('Move down S, Black')).toBeFocused()
    await expect(field('Colour, row 1')).toHaveValue('Lime')
    await changeVariants(page, product._id, (variants) => variants.toSpliced(9, 1))
    await update.click()
    await expect(page.getByRole('region', { name: 'Options' }).getByRole('alert')).toHaveText(
      'Someone else changed these variants. Reload the page to see the changes.',
    )
    await expect(field('Colour, row 1')).toHaveValue('Lime')
    await page.reload()
    await expect(field('Colour, row 1')).toHaveValue('Black')
    await expect(page.getByLabel(/^Size, row/)).toHaveCount(9)
  })

  await test.step('Restock Item has a list of the variants with the first one chosen', async () => {
    const details = await openDetails(page, product)
    await expect(details.getByLabel('Variant').locator('option:checked')).toHaveText('S, Black: 3 pcs')
    await details.getByLabel('Variant').selectOption({ label: 'L, Black: 0 pcs' })
    await restock(details, '2')
    await expect(details.getByRole('status')).toHaveText('2 added: 14 pcs in stock.')
    await expect(details.getByLabel('Variant').locator('option:checked')).toHaveText('L, Black: 2 pcs')
    await expectAccessible(page, 'details with variants')
  })
  await deleteProduct(page, product._id)
})

type Variants = { size?: string; quantity?: number }[]

/** Changes the variants of a product as another admin does. */
async function changeVariants(
  page: Page,
  id: string,
  change: (variants: Variants) => Variants,
): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'))
  const url = `/api/v1/products/${id}/variants`
  const headers = { authorization: `Bearer ${token}` }
  const list = await page.request.get(url, { headers })
  const { options, variants } = (await list.json()) as { options: string; variants: Variants }
  const saved = await page.request.put(url, {
    headers: { ...headers, 'if-match': list.headers()['etag'] ?? '' },
    data: { options, variants: change(variants) },
  })
  expect(saved.status()).toBe(200)
}
