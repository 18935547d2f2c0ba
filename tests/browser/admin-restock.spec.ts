import { formatPieces } from '../../contract/pieces.ts'
import { addProduct, openDetails, openProductRow, restock, signInAsAdmin } from './admin-steps.ts'
import { callAs, expectError, failing, hold, losing } from './specification-steps.ts'
import { readStock } from './steps.ts'
import { expect, test } from './test.ts'

test('an admin restocks a product in its details', async ({ page, shop, expectConsole }) => {
  // The browser itself reports the refusals.
  expectConsole(/status of (400|409|500|503)|ERR_FAILED/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  const status = details.getByRole('status')
  const alert = details.getByRole('alert')
  const typed = details.getByPlaceholder('Quantity')
  const expectStock = (stock: number) =>
    expect(details.getByText(formatPieces(stock), { exact: true })).toBeVisible()

  await test.step('Restock adds to the stock, clears the form, and shows the new stock in details and table', async () => {
    const sent = page.waitForRequest('**/api/update-product/**')
    const release = await hold(page, '**/api/update-product/**')
    await restock(details, '15')
    await expect(details.getByRole('button', { name: 'Restock' })).toBeDisabled()
    const request = await sent
    release()
    expect(request.method()).toBe('PUT')
    expect(request.postDataJSON()).toEqual({ quantity: 35, delta: 15 })
    await expect(status).toHaveText('15 added: 35 pcs in stock.')
    await expectStock(35)
    await expect(typed).toHaveValue('')
    await page.keyboard.press('Escape')
    const row = page.getByRole('row').filter({ hasText: product.name })
    await expect(row).toContainText('35')
    await row.getByRole('button', { name: 'Details' }).click()
  })

  await test.step('zero changes nothing, a negative number corrects the stock, and no stock falls below 0', async () => {
    await restock(details, '0')
    await expect(status).toHaveText('Nothing changed: 35 pcs in stock.')
    await expect(typed).toHaveValue('')

    await restock(details, '-36')
    await expect(alert).toHaveText('Stock cannot go below 0')
    await expect(typed).toHaveValue('-36')
    await expectStock(35)
    expect(await readStock(page, product._id)).toBe(35)

    await restock(details, '-34')
    await expect(status).toHaveText('34 removed: 1 pc in stock.')
    await expect(alert).toHaveCount(0)
    expect(await readStock(page, product._id)).toBe(1)
  })

  await test.step('a restock adds to a stock that another admin has changed', async () => {
    await callAs(page, 'PUT', `/update-product/${product._id}`, { quantity: 120 })
    await restock(details, '5')
    await expect(status).toHaveText('5 added: 125 pcs in stock.')
    await expectStock(125)
  })

  await test.step('a failed restock shows an error and keeps the input', async () => {
    for (const [how, message] of [
      [500, /Something went wrong on our side/],
      [
        'away',
        /can't reach the shop\. Check your connection\. The change may have been saved\. Check the stock/,
      ],
    ] as const) {
      const broken = await failing(page, '**/api/update-product/**', how)
      await restock(details, '7')
      await expect(alert).toHaveText(message)
      await expect(typed).toHaveValue('7')
      expect(broken.asked(), 'a write is not repeated automatically').toBe(1)
      await broken.end()
    }
    await typed.press('Enter')
    await expect(status).toHaveText('7 added: 132 pcs in stock.')
    await expect(alert).toHaveCount(0)
  })

  await test.step('after a lost response the details show the real stock', async () => {
    await losing(page, '**/api/update-product/**', 503)
    await restock(details, '7')
    await expect(alert).toContainText('Check the stock before you try again')
    await expectStock(139)
  })

  await test.step('on a phone the result of a restock is in view', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await restock(details, '1')
    await expect(details.getByText('1 added: 140 pcs in stock.')).toBeInViewport({ ratio: 1 })
    await details.getByRole('heading', { level: 3 }).scrollIntoViewIfNeeded()
    await restock(details, '-999')
    await expect(alert).toBeInViewport({ ratio: 0.9 })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('a quantity is required, whole and within the limit', async () => {
    const field = details.getByRole('spinbutton', { name: 'Quantity' })
    await expect(field).toHaveAttribute('required')
    const writes: string[] = []
    page.on('request', (request) => void (request.method() === 'PUT' && writes.push(request.url())))
    for (const [quantity, message] of [
      ['', 'Quantity is required'],
      ['1.5', 'Enter a whole number'],
      ['30.000', 'Enter a whole number'],
      ['2147483648', 'The number is too large'],
    ] as const) {
      await restock(details, quantity)
      await expect(field).toHaveAccessibleDescription(message)
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toBeFocused()
    }
    expect(writes).toEqual([])

    await restock(details, '-139')
    await expectStock(1)
    await restock(details, '2147483647')
    await expect(alert).toContainText('The number is too large')
    await restock(details, '2147483646')
    await expect(status).toContainText('2147483647 pcs in stock.')
  })

  await test.step('the details stay open when a restock moves their row to another page', async () => {
    await callAs(page, 'PUT', `/update-product/${product._id}`, { quantity: 0 })
    await page.goto('/dashboard/manage-products?sort=quantity')
    const row = page.getByRole('row').filter({ hasText: product.name })
    await row.getByRole('button', { name: 'Details' }).click()
    await restock(details, '90000')
    await expectStock(90000)
    await expect(row).toHaveCount(0)
    await expect(details).toBeVisible()
    await callAs(page, 'PUT', `/update-product/${product._id}`, { quantity: 1 })
  })
})

test('an admin restocks a product on a page of its own', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of (404|409)/)
  await signInAsAdmin(page, shop)
  const main = page.getByRole('main')

  await test.step('Update on a product card opens the same details on a page of their own', async () => {
    await page.goto('/products')
    const card = page.getByRole('article').first()
    const name = await card.getByRole('heading').innerText()
    await card.getByRole('link', { name: 'Update' }).click()
    await expect(page).toHaveURL(/\/dashboard\/update-product\/[0-9a-f]{24}$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    const id = page.url().split('/').at(-1) ?? ''
    const stock = await readStock(page, id)
    for (const text of ['4 Reviews', `${stock} pcs`, 'Restock Item']) {
      await expect(main.getByText(text, { exact: true })).toBeVisible()
    }
    await restock(page, '3')
    await expect(main.getByRole('status')).toHaveText(`3 added: ${stock + 3} pcs in stock.`)
    await expect(main.getByText(`${stock + 3} pcs`, { exact: true })).toBeVisible()
    await restock(page, '-3')
    await expect(main.getByText(`${stock} pcs`, { exact: true })).toBeVisible()
    expect(await readStock(page, id)).toBe(stock)
  })

  const product = await addProduct(page)
  await page.goto(`/dashboard/update-product/${product._id}`)

  await test.step('a success line disappears when the next attempt has an error', async () => {
    const added = page.getByText('5 added: 25 pcs in stock.')
    await restock(page, '5')
    await expect(added).toBeVisible()
    await restock(page, '')
    await expectError(page, 'Quantity', 'Quantity is required')
    await expect(added).toBeHidden()

    await restock(page, '5')
    await expect(page.getByText('5 added: 30 pcs in stock.')).toBeVisible()
    await restock(page, '-99')
    await expect(page.getByRole('alert')).toContainText('Stock cannot go below 0')
    await expect(page.getByText('5 added: 30 pcs in stock.')).toBeHidden()
  })

  await test.step('the page of a deleted product shows that the product is not in the shop', async () => {
    // Ends the read after the last attempt, which would already find no product.
    await page.reload()
    await expect(main.getByText('30 pcs', { exact: true })).toBeVisible()
    await callAs(page, 'DELETE', `/delete-product?id=${product._id}`)
    await restock(page, '1')
    await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
    await main.getByRole('link', { name: 'Manage Products' }).last().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Products')
    await openProductRow(page, product)
    await expect(page.getByText(`No product matches “${product.name}”.`)).toBeVisible()
  })
})
