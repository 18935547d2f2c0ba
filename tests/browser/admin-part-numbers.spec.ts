import { randomUUID } from 'node:crypto'
import { addProduct, deleteProduct, editProduct, openEditProduct, signInAsAdmin } from './admin-steps.ts'
import { expectAccessible } from './axe.ts'
import { callAs, hold, losing } from './specification-steps.ts'
import { expect, test } from './test.ts'

test('an admin edits the part numbers of a product, and its replacement, by which it is then found', async ({
  page,
  shop,
  expectConsole,
}) => {
  // The server checks the replacement.
  expectConsole(/status of 409|ERR_FAILED/)
  const key = randomUUID().slice(0, 6)
  await signInAsAdmin(page, shop)
  const old = await addProduct(page, { sku: `OLD-${key}` })
  const newer = await addProduct(page, { sku: `NEW-${key}` })

  await test.step('the editor names what is wrong, and saves the corrected numbers', async () => {
    await openEditProduct(page, old._id)
    await page.getByRole('button', { name: 'Add a number' }).click()
    const first = page.getByRole('group', { name: 'Number 1' })
    await first.getByLabel('Number', { exact: true }).fill(`H-${key}/7`)
    await page.getByLabel('Replaced by').fill(`old ${key}`)
    // Coming back to the tab or online must not load the list again, which would replace what was typed.
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      globalThis.dispatchEvent(new Event('offline'))
      globalThis.dispatchEvent(new Event('online'))
    })
    await page.getByRole('button', { name: 'Save part numbers' }).click()
    await expect(first.getByText('Maker is required')).toBeVisible()
    await expect(page.getByText('Some values are not valid.')).toBeVisible()
    await first.getByLabel('Maker').fill('Honda')
    await page.getByRole('button', { name: 'Save part numbers' }).click()
    await expect(
      page.getByText('These products would replace each other in a loop. Choose another product.'),
    ).toBeVisible()
    await expectAccessible(page, 'editor of part numbers')
    // This save is done, and its response gets lost. What is typed then can be saved.
    await page.getByLabel('Replaced by').fill('')
    const release = await hold(page, '**/part-numbers')
    await losing(page, '**/part-numbers')
    await page.getByRole('button', { name: 'Save part numbers' }).click()
    await expect(page.getByText("We can't reach the shop. Check your connection.")).toBeVisible()
    await page.getByLabel('Replaced by').fill(`new ${key}`)
    release()
    await expect(page.getByText('Part Numbers Saved')).toBeVisible()
    const held = Promise.withResolvers<void>()
    await page.route('**/part-numbers', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save part numbers' }).click()
    // The saved list replaces this one, so nothing can be typed until then.
    await page.getByLabel('Replaced by').pressSequentially(' and more')
    await expect(page.getByLabel('Replaced by')).toHaveValue(`new ${key}`)
    held.resolve()
    await expect(page.getByLabel('Replaced by')).toHaveValue(`NEW-${key}`)
  })

  await test.step('the replacement stays the same product when its part number moves to another one', async () => {
    const { _id: newId, quantity: _quantity, options: _options, ...stored } = newer
    await editProduct(page, newId, { ...stored, sku: `MOVED-${key}` })
    const other = await addProduct(page, { sku: `NEW-${key}` })
    const saveButton = page.getByRole('button', { name: 'Save part numbers' })
    // The response to the first save has the new part number.
    for (const _save of [1, 2]) {
      const saved = page.waitForResponse('**/part-numbers')
      await saveButton.click()
      expect((await saved).status()).toBe(200)
      await expect(saveButton).toHaveAttribute('aria-busy', 'false')
    }
    await expect(page.getByLabel('Replaced by')).toHaveAccessibleDescription(newer.name)
    const { replacedBy } = await callAs<typeof newer>(page, 'GET', `/product/${old._id}`)
    expect(replacedBy).toMatchObject({ _id: newId })
    await deleteProduct(page, other._id)
    await editProduct(page, newId, stored)
  })

  await test.step('the number finds the product, whose page leads to the replacement and back', async () => {
    await page.goto(`/products?q=h${key}7`)
    await expect(page.getByRole('article')).toContainText(`Replaces Honda H-${key}/7`)
    await page.getByRole('link', { name: old.name, exact: true }).click()
    await page.getByRole('link', { name: `NEW-${key}, ${newer.name}` }).click()
    const back = page.getByRole('link', { name: `OLD-${key}, ${old.name}` })
    await expect(back).toBeVisible()
    await expectAccessible(page, 'part numbers of a product')
  })
})
