import type { Page } from '@playwright/test'
import { callAs, failing, hold } from './specification-steps.ts'
import { enter, enterAsNewRider, fillCard, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

const heads = (page: Page) => page.getByRole('columnheader')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })

/** Returns the order details in the dialog, by label. */
async function readDetails(page: Page): Promise<Record<string, string>> {
  const details: Record<string, string> = {}
  for (const detail of await page.getByRole('dialog').locator('dl > div').all()) {
    details[await detail.getByRole('term').innerText()] = await detail.getByRole('definition').innerText()
  }
  return details
}

test('my orders: the columns, and what can be done with an order in each state', async ({ page, shop }) => {
  await enter(page, 'rider@example.com', shop.password)
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
  const columns = ['Name', 'Quantity', 'Total', 'Payment', 'Shipment', 'Action']
  await expect(heads(page)).toHaveCount(columns.length)
  for (const name of columns)
    await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()

  const actions = (each: ReturnType<Page['locator']>) =>
    each.getByRole('link').or(each.getByRole('button')).allInnerTexts()
  const unpaid = row(page, 'Pay').filter({ has: page.getByRole('link', { name: 'Pay', exact: true }) })
  expect(await actions(unpaid)).toEqual(['Pay', 'Details', 'Cancel'])
  await expect(unpaid.getByText('Pending', { exact: true })).toHaveCount(2)
  const paid = row(page, 'Paid').filter({ hasText: 'Pending' })
  expect(await actions(paid)).toEqual(['Details'])
  const shipped = row(page, 'Shipped').first()
  expect(await actions(shipped)).toEqual(['Details'])
})

test('the details of an order: number, product, date, states, prices and the customer', async ({ page }) => {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  const details = async () => {
    await page.goto('/dashboard/my-orders')
    await page.getByRole('button', { name: 'Details' }).click()
    await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toHaveText(
      `Order #${id.slice(0, 6)}`,
    )
    return readDetails(page)
  }
  const money = (dollars: number) => `$${dollars.toLocaleString('en-US')}`
  const shown = await details()
  // The no-break space keeps AM and PM beside the time.
  expect(shown['Pay By']).toMatch(/\d\u00a0[AP]M$/)
  expect(shown).toEqual({
    Product: product.name,
    'Order Date': new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date()),
    'Pay By': expect.stringContaining(
      new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(Date.now() + 72 * 3_600_000),
    ),
    'Payment Status': 'Pending',
    'Shipment Status': 'Pending',
    'Unit Price': money(product.price),
    Quantity: String(product.minimum),
    Total: money(product.price * product.minimum),
    'Customer Name': 'Robin Rider',
    Phone: '–',
    'Shipping Address': '14 Kickstand Lane',
  })

  // Imported orders have no date.
  await page.route('**/api/orders?**', async (route) => {
    const response = await route.fetch()
    const [{ date: _, ...order }] = await response.json()
    await route.fulfill({
      response: response,
      json: [{ ...order, customerName: '', customerPhone: '555 01' }],
    })
  })
  expect(await details()).toMatchObject({
    'Order Date': '1 January 2022',
    'Customer Name': '–',
    Phone: '555 01',
  })
})

test('manage orders: Status, Delivered for what is paid and not shipped, Cancel for what is not paid', async ({
  page,
  shop,
  browser,
  watch,
  extraHTTPHeaders,
}) => {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  const number = `#${id.slice(0, 6)}`
  const desk = await browser.newContext({ baseURL: shop.origin, extraHTTPHeaders })
  const admin = await desk.newPage()
  watch(admin)
  await enter(admin, 'admin@example.com', shop.password)
  await admin.goto('/dashboard/manage-orders')
  for (const name of ['Name', 'Quantity', 'Total', 'Payment', 'Status', 'Action']) {
    await expect(admin.getByRole('columnheader', { name, exact: true })).toBeVisible()
  }
  const find = async () => {
    await admin.getByRole('searchbox').fill(number)
    await admin.getByRole('searchbox').press('Enter')
    await expect(admin.getByRole('button', { name: 'Details' })).toHaveCount(1)
  }
  await find()
  await expect(admin.getByRole('button', { name: 'Delivered' })).toHaveCount(0)
  await expect(admin.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await admin.getByRole('button', { name: 'Details' }).click()
  expect(await readDetails(admin)).toMatchObject({
    Product: product.name,
    'Shipping Address': '14 Kickstand Lane',
  })

  await page.goto(`/dashboard/payment/${id}`)
  await fillCard(page, '4242424242424242')
  await pay(page).click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()

  await admin.reload()
  await find()
  await expect(admin.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  const sent = admin.waitForRequest('**/api/update-shipping/*')
  await admin.getByRole('button', { name: 'Delivered' }).click()
  expect((await sent).postDataJSON()).toEqual({ shipping: 'Shipped' })
  await expect(row(admin, product.name).getByText('Shipped', { exact: true })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Delivered' })).toHaveCount(0)
  await desk.close()
})

test('an admin cancels an unpaid order, after the same question', async ({ page, shop, browser, watch }) => {
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  const desk = await browser.newContext({ baseURL: shop.origin })
  const admin = await desk.newPage()
  watch(admin)
  await enter(admin, 'admin@example.com', shop.password)
  await admin.goto(`/dashboard/manage-orders?q=${id.slice(0, 6)}`)
  await admin.getByRole('button', { name: 'Cancel' }).click()
  const question = admin.getByRole('dialog', { name: 'You are about to cancel your order' })
  await expect(question.getByText('Are you sure?', { exact: true })).toBeVisible()
  await expect(question.getByRole('button', { name: 'No', exact: true })).toBeVisible()
  await question.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(admin.getByText('Order Canceled Successfully')).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'No results' })).toBeVisible()
  await desk.close()
})

test('payment: the order, the amount, and a Pay button that waits for the provider and the client secret', async ({
  page,
}) => {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  const scriptComes = await hold(page, '**/sandbox/payments/stripe.js')
  const secretComes = await hold(page, '**/api/create-payment-intent')
  const opened = page.waitForRequest('**/api/create-payment-intent')
  await page.goto(`/dashboard/payment/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Payment for Order #${id.slice(0, 6)}`)
  const dollars = product.price * product.minimum
  expect((await opened).postDataJSON()).toEqual({ amount: dollars, orderId: id })
  const amount = `$${dollars.toLocaleString('en-US')}`
  await expect(page.getByText('Total Amount').locator('..').getByText(amount, { exact: true })).toBeVisible()
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(menu.getByRole('link', { name: 'My Orders' })).toBeVisible()
  await expect(pay(page)).toBeDisabled()
  await expect(pay(page)).toHaveText(`Pay ${amount}`)
  const place = await pay(page).boundingBox()
  scriptComes()
  await expect(page.locator('iframe[title="Secure card payment input frame"]')).toBeVisible()
  await expect(pay(page)).toBeDisabled()
  secretComes()
  await expect(pay(page)).toBeEnabled()
  expect(await pay(page).boundingBox()).toEqual(place)

  const received = page.waitForRequest('**/api/order-payment/*')
  await fillCard(page, '4242424242424242')
  await pay(page).click()
  await expect(page.getByText('Payment Successful..!', { exact: true })).toBeVisible()
  const { transactionId } = (await received).postDataJSON()
  expect((await received).method()).toBe('PATCH')
  await expect(page.getByText(`Trx. Id ${transactionId}`)).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
})

test('payment: after a refusal no order is updated; what cannot be opened can be tried again', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of (402|500)/)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  const opening = await failing(page, '**/api/create-payment-intent')
  await page.goto(`/dashboard/payment/${id}`)
  const alert = page.getByRole('alert').filter({ hasText: "We couldn't start the payment" })
  await expect(alert).not.toContainText('charged')
  expect(opening.asked()).toBe(1)
  await expect(pay(page)).toHaveCount(0)
  await opening.end()
  await page.getByRole('button', { name: 'Try again' }).click()

  const updates: string[] = []
  page.on('request', (request) => void (request.method() === 'PATCH' && updates.push(request.url())))
  await fillCard(page, '4000000000000002')
  await pay(page).click()
  await expect(page.getByText('Your card was declined.', { exact: true })).toBeVisible()
  await expect(pay(page)).toBeEnabled()
  expect(updates).toEqual([])
  expect(await callAs(page, 'GET', `/order?id=${id}`)).toMatchObject({ payment: false })
})
