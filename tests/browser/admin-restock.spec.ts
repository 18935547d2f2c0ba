import { addProduct, openDetails, openProductRow, restock, signInAsAdmin } from './admin-steps.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { readStock } from './steps.ts'
import { expect, test } from './test.ts'

test('Restock adds to the stock, clears the form, and shows the new stock in the details and in the table', async ({
  page,
  shop,
}) => {
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  const sent = page.waitForRequest('**/api/update-product/**')
  const letGo = await hold(page, '**/api/update-product/**')
  await restock(details, '15')
  await expect(details.getByRole('button', { name: 'Restock' })).toBeDisabled()
  letGo()
  const request = await sent
  expect(request.method()).toBe('PUT')
  expect(request.postDataJSON()).toEqual({ quantity: 35, delta: 15 })
  await expect(details.getByRole('status')).toHaveText('15 added: 35 pcs in stock.')
  await expect(details.getByText('35 pcs', { exact: true })).toBeVisible()
  await expect(details.getByPlaceholder('Quantity')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row').filter({ hasText: product.name })).toContainText('35')
})

test('zero changes nothing, a negative number corrects, and no stock goes below 0', async ({
  page,
  shop,
  expectConsole,
}) => {
  // The browser itself reports the refusal.
  expectConsole(/status of 409/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  await restock(details, '0')
  await expect(details.getByRole('status')).toHaveText('Nothing changed: 20 pcs in stock.')
  await expect(details.getByPlaceholder('Quantity')).toHaveValue('')

  await restock(details, '-21')
  await expect(details.getByRole('alert')).toHaveText('Stock cannot go below 0')
  await expect(details.getByPlaceholder('Quantity')).toHaveValue('-21')
  await expect(details.getByText('20 pcs', { exact: true })).toBeVisible()
  expect(await readStock(page, product._id)).toBe(20)

  await restock(details, '-20')
  await expect(details.getByRole('status')).toHaveText('20 removed: 0 pcs in stock.')
  await expect(details.getByRole('alert')).toHaveCount(0)
  expect(await readStock(page, product._id)).toBe(0)
})

test('a quantity is required, whole, and no more than can be counted', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/status of 400/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { quantity: 1 })
  const details = await openDetails(page, product)
  const field = details.getByRole('spinbutton', { name: 'Quantity' })
  await expect(field).toHaveAttribute('required')
  const writes: string[] = []
  page.on('request', (request) => void (request.method() === 'PUT' && writes.push(request.url())))
  for (const [typed, message] of [
    ['', 'Quantity is required'],
    ['1.5', 'Enter a whole number'],
    ['2147483648', 'The number is too large'],
  ] as const) {
    await restock(details, typed)
    await expect(field).toHaveAccessibleDescription(message)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
  }
  expect(writes).toEqual([])

  await restock(details, '2147483647')
  await expect(details.getByRole('alert')).toContainText('The number is too large')
  await restock(details, '2147483646')
  await expect(details.getByRole('status')).toContainText('2147483647 pcs in stock.')
  await callAs(page, 'PUT', `/update-product/${product._id}`, { quantity: 1 })
})

test('two admins who restock at once do not overwrite one another', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  await callAs(page, 'PUT', `/update-product/${product._id}`, { quantity: 120, delta: 100 })
  await restock(details, '5')
  await expect(details.getByRole('status')).toHaveText('5 added: 125 pcs in stock.')
  await expect(details.getByText('125 pcs', { exact: true })).toBeVisible()
})

test('a restock that fails says so, and keeps what was typed', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 500|ERR_FAILED/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  for (const [how, message] of [
    [500, /Something went wrong on our side/],
    [
      'away',
      /can't reach the shop\. Check your connection\. The change may have been saved\. Check the stock/,
    ],
  ] as const) {
    const broken = await failing(page, '**/api/update-product/**', how)
    await restock(details, '7')
    await expect(details.getByRole('alert')).toHaveText(message)
    await expect(details.getByPlaceholder('Quantity')).toHaveValue('7')
    expect(broken.asked(), 'a write is never repeated by itself').toBe(1)
    await broken.end()
  }
  await details.getByPlaceholder('Quantity').press('Enter')
  await expect(details.getByRole('status')).toHaveText('7 added: 27 pcs in stock.')
  await expect(details.getByRole('alert')).toHaveCount(0)
})

test('a restock whose answer is lost shows the stock as it is', async ({ page, shop, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  const details = await openDetails(page, product)
  await page.route('**/api/update-product/**', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await restock(details, '7')
  await expect(details.getByRole('alert')).toContainText('Check the stock before you try again')
  await expect(details.getByText('27 pcs', { exact: true })).toBeVisible()
})

test('the details stay open while a restock sends their row to another page', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const product = await addProduct(page, { quantity: 0 })
  await page.goto('/dashboard/manage-products?sort=quantity')
  const row = page.getByRole('row').filter({ hasText: product.name })
  await row.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Details' })
  await restock(details, '90000')
  await expect(details.getByText('90000 pcs', { exact: true })).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(details).toBeVisible()
})

test('on a small screen too one sees what came of a restock', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 409/)
  await page.setViewportSize({ width: 360, height: 640 })
  await signInAsAdmin(page, shop)
  const details = await openDetails(page, await addProduct(page))
  await restock(details, '1')
  await expect(details.getByText('1 added: 21 pcs in stock.')).toBeInViewport({ ratio: 1 })
  await details.getByRole('heading', { level: 3 }).scrollIntoViewIfNeeded()
  await restock(details, '-99')
  await expect(details.getByRole('alert')).toBeInViewport({ ratio: 0.9 })
})

test('Update on a product card opens the same details on a page of their own', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  await page.goto('/products')
  const card = page.getByRole('article').first()
  const name = await card.getByRole('heading').innerText()
  await card.getByRole('link', { name: 'Update' }).click()
  await expect(page).toHaveURL(/\/dashboard\/update-product\/[0-9a-f]{24}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  const id = page.url().split('/').at(-1) ?? ''
  const stock = await readStock(page, id)
  const main = page.getByRole('main')
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

test('the update page of a product that is gone says so', async ({ page, shop, expectConsole }) => {
  expectConsole(/status of 404/)
  await signInAsAdmin(page, shop)
  const product = await addProduct(page)
  await page.goto(`/dashboard/update-product/${product._id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
  await callAs(page, 'DELETE', `/delete-product?id=${product._id}`)
  await restock(page, '1')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Product not found.')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Product not found' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Manage Products' }).last().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Products')
  await expect(await openProductRow(page, product)).toHaveCount(0)
})
