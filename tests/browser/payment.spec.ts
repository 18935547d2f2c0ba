import type { Page } from '@playwright/test'
import { signInAsAdmin } from './admin-steps.ts'
import { enterAsNewRider, fillCard, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })
const transaction = (page: Page) => page.getByText(/Trx\. Id pi_\w+/)

async function openPayment(page: Page, id: string): Promise<void> {
  await page.goto(`/dashboard/payment/${id}`)
  await expect(pay(page)).toBeEnabled()
}

async function openUnpaidOrder(page: Page): Promise<string> {
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  await openPayment(page, id)
  return id
}

const rejections = [
  ['4000000000000002', 'Your card was declined.'],
  ['4000000000009995', 'Your card has insufficient funds.'],
  ['4000000000000069', 'Your card has expired.'],
  ['4000000000000127', "Your card's security code is incorrect."],
] as const

test("every refusal is shown in the provider's words, in red, and the order stays unpaid", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 402/)
  const id = await openUnpaidOrder(page)
  for (const [number, message] of rejections) {
    await fillCard(page, number)
    await pay(page).click()
    const alert = page.getByRole('alert').filter({ hasText: message })
    await expect(alert).toBeVisible()
    await expect(alert).toHaveCSS('color', 'rgb(180, 35, 24)')
  }
  await page.goto('/dashboard/my-orders')
  await expect(page.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/dashboard/payment/${id}`)
})

test('3-D Secure asks, can fail, and can be passed', async ({ page }) => {
  const bank = page.getByRole('dialog').frameLocator('iframe[title="3-D Secure test page"]')
  await openUnpaidOrder(page)
  await fillCard(page, '4000002760003184')
  await pay(page).click()
  await bank.getByRole('button', { name: 'Fail authentication' }).click()
  await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible()
  await fillCard(page, '4000002760003184')
  await pay(page).click()
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await expect(transaction(page)).toBeVisible()
})

test('a double click charges once', async ({ page }) => {
  await openUnpaidOrder(page)
  const charges: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm') && request.method() === 'POST') charges.push(request.url())
  })
  await fillCard(page, '4242424242424242')
  await pay(page).dblclick()
  await expect(transaction(page)).toBeVisible()
  expect(charges).toHaveLength(1)
})

test('two tabs pay one order with one payment', async ({ page, context, watch, expectConsole }) => {
  expectConsole(/status of 400/)
  const id = await openUnpaidOrder(page)
  const other = await context.newPage()
  watch(other)
  await openPayment(other, id)
  await fillCard(page, '4242424242424242')
  await fillCard(other, '4242424242424242')
  await Promise.all([pay(page).click(), pay(other).click()])
  await expect(transaction(page)).toBeVisible()
  await expect(transaction(other)).toBeVisible()
  expect(await transaction(other).innerText()).toBe(await transaction(page).innerText())
})

test('a payment whose answer is lost is found on the next try, and not made again', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED|status of 400/)
  await openUnpaidOrder(page)
  await fillCard(page, '4242424242424242')
  const confirmation = '**/payment_intents/*/confirm'
  let intentId = ''
  await page.context().route(confirmation, async (route) => {
    const response = await route.fetch()
    intentId = (await response.json()).id
    await route.abort()
  })
  await pay(page).click()
  await expect(page.getByRole('alert').filter({ hasText: /connecting|connection/i })).toBeVisible()
  await page.context().unroute(confirmation)
  // The webhook may have settled the order. If not, the next attempt finds the payment made.
  await page.reload()
  await expect(page.getByText(`Trx. Id ${intentId}`)).toBeVisible()
  expect(intentId).toMatch(/^pi_/)
})

test('who reloads while paying finds the order paid', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/)
  const id = await openUnpaidOrder(page)
  await fillCard(page, '4242424242424242')
  await page.route(`**/api/order-payment/${id}`, (route) => route.abort())
  await pay(page).click()
  await expect(page.getByText('Payment Successful..!')).toBeVisible()
  await expect
    .poll(
      async () => {
        await page.reload()
        await expect(page.getByRole('heading', { name: /^Payment for Order/ })).toBeVisible()
        return transaction(page).count()
      },
      { timeout: 15_000 },
    )
    .toBe(1)
})

test("where the provider's script does not load, that is logged and said, and nothing can be paid", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED|Failed to load Stripe\.js/)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  await page.route('**/sandbox/payments/stripe.js', (route) => route.abort())
  const logged = page.waitForEvent('console', (message) => message.text() === 'Failed to load Stripe.js')
  await page.goto(`/dashboard/payment/${id}`)
  await logged
  await expect(page.getByText('The payment provider is not responding.')).toBeVisible()
  await expect(pay(page)).toHaveCount(0)
  await page.unroute('**/sandbox/payments/stripe.js')
  await page.getByRole('button', { name: /try again/i }).click()
  await expect(pay(page)).toBeEnabled()
})

test('the payment page of an admin links to My Orders, which the side menu lacks', async ({ page, shop }) => {
  await signInAsAdmin(page, shop)
  const { id } = await placeOrder(page)
  await openPayment(page, id)
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
})

test("another rider's order cannot be paid, nor seen", async ({ page, browser, shop, expectConsole }) => {
  expectConsole(/status of 404/)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)
  const thirdParty = await (await browser.newContext({ baseURL: shop.origin })).newPage()
  await enterAsNewRider(thirdParty)
  await thirdParty.goto(`/dashboard/payment/${id}`)
  await expect(thirdParty.getByText('Order not found')).toBeVisible()
  await thirdParty.context().close()
})
