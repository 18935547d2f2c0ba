import type { Page } from '@playwright/test'
import { formatDollars, multiplyPrice } from '../../contract/money.ts'
import { signInAsAdmin } from './admin-steps.ts'
import { callAs, failing, hold } from './specification-steps.ts'
import { enter, enterAsNewRider, fillCard, passSlow, placeOrder } from './steps.ts'
import { expect, test } from './test.ts'

const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ })
const transaction = (page: Page) => page.getByText(/Trx\. Id pi_\w+/)

async function openPayment(page: Page, id: string): Promise<void> {
  await page.goto(`/dashboard/payment/${id}`)
  await expect(pay(page)).toBeEnabled()
}

/** Places an order as the signed-in customer, and opens its payment. */
async function openUnpaidOrder(page: Page): Promise<string> {
  const { id } = await placeOrder(page)
  await openPayment(page, id)
  return id
}

const declines = [
  ['4000000000000002', 'Your card was declined.'],
  ['4000000000009995', 'Your card has insufficient funds.'],
  ['4000000000000069', 'Your card has expired.'],
  ['4000000000000127', "Your card's security code is incorrect."],
] as const

test('a customer pays an order', async ({ page }) => {
  await enterAsNewRider(page)
  const { id, product } = await placeOrder(page)
  // The card field knows no card yet.
  const releaseCards = await hold(page, '**/test-cards.json')

  await test.step('the payment page has order and amount, and Pay is disabled until script and client secret are loaded', async () => {
    const releaseScript = await hold(page, '**/sandbox/payments/stripe.js')
    const releaseSecret = await hold(page, '**/api/create-payment-intent')
    const opened = page.waitForRequest('**/api/create-payment-intent')
    await page.goto(`/dashboard/payment/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Payment for Order #${id.slice(0, 6)}`)
    const dollars = multiplyPrice(product.price, product.minimum)
    expect((await opened).postDataJSON()).toEqual({ amount: dollars, orderId: id })
    const amount = formatDollars(dollars)
    await expect(
      page.getByText('Total Amount').locator('..').getByText(amount, { exact: true }),
    ).toBeVisible()
    const menu = page.getByRole('navigation', { name: 'Dashboard' })
    await expect(menu.getByRole('link', { name: 'My Orders' })).toBeVisible()
    await expect(pay(page)).toBeDisabled()
    await expect(pay(page)).toHaveText(`Pay ${amount}`)
    const place = await pay(page).boundingBox()
    releaseScript()
    await expect(page.locator('iframe[title="Secure card payment input frame"]')).toBeVisible()
    await expect(pay(page)).toBeDisabled()
    releaseSecret()
    await expect(pay(page)).toBeEnabled()
    expect(await pay(page).boundingBox()).toEqual(place)
  })

  await test.step('a successful payment is reported to the shop and shows its transaction id', async () => {
    const received = page.waitForRequest('**/api/order-payment/*')
    await fillCard(page, '4242424242424242')
    await pay(page).press('Enter')
    releaseCards()
    await expect(page.getByText('Payment Successful..!', { exact: true })).toBeVisible()
    await expect(page.locator(':focus')).toContainText('Payment Successful..!')
    const { transactionId } = (await received).postDataJSON()
    expect((await received).method()).toBe('PATCH')
    await expect(page.getByText(`Trx. Id ${transactionId}`)).toBeVisible()
    await expect(pay(page)).toHaveCount(0)
  })
})

test('a payment can be declined, and 3-D Secure can fail', async ({ page, expectConsole }) => {
  expectConsole(/status of (400|402|500)/)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)

  await test.step('a payment that could not be started can be tried again', async () => {
    const opening = await failing(page, '**/api/create-payment-intent')
    await page.goto(`/dashboard/payment/${id}`)
    const alert = page.getByRole('alert').filter({ hasText: "We couldn't start the payment" })
    await expect(alert).toBeVisible()
    await expect(alert).not.toContainText('charged')
    expect(opening.asked()).toBe(1)
    await expect(pay(page)).toHaveCount(0)
    await opening.end()
    await page.getByRole('button', { name: 'Try again' }).click()
  })

  await test.step('a start that gets no answer can be repeated after 8 s', async () => {
    const calls = '**/api/create-payment-intent'
    let asked = 0
    await page.route(calls, async (route) => {
      asked++
      // The first request never gets an answer.
      if (asked > 1) await route.continue()
    })
    const sent = page.waitForRequest(calls)
    await page.goto(`/dashboard/payment/${id}`)
    await sent
    const waiting = page.getByText('We are still preparing the payment. You have not been charged.')
    await expect(waiting).toBeHidden()
    await passSlow(page, 8_010)
    await waiting.getByRole('link', { name: 'Try again' }).click()
    await expect(pay(page)).toBeEnabled()
    expect(asked).toBe(2)
    await page.unroute(calls)
  })

  await test.step("a decline is shown in red with the provider's text, and the order stays unpaid", async () => {
    const updates: string[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && updates.push(request.url())))
    for (const [number, message] of declines) {
      await fillCard(page, number)
      await pay(page).click()
      const alert = page.getByRole('alert').filter({ hasText: message })
      await expect(alert).toBeVisible()
      await expect(alert).toHaveCSS('color', 'rgb(180, 35, 24)')
    }
    await expect(pay(page)).toBeEnabled()
    expect(updates).toEqual([])
    expect(await callAs(page, 'GET', `/order?id=${id}`)).toMatchObject({ payment: false })
    await page.goto('/dashboard/my-orders')
    await expect(page.getByRole('link', { name: 'Pay' })).toHaveAttribute('href', `/dashboard/payment/${id}`)
  })

  await test.step('a payment that a cancellation has closed is replaced, without typing the card again', async () => {
    await openPayment(page, id)
    await fillCard(page, '4000000000000002')
    const confirm = '**/v1/payment_intents/*/confirm'
    const error = {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: 'You cannot confirm this PaymentIntent because it has a status of canceled.',
      payment_intent: { id: 'pi_closed', status: 'canceled' },
    }
    await page.route(confirm, (route) => route.fulfill({ status: 400, json: { error } }))
    const opened = page.waitForRequest('**/api/create-payment-intent')
    await pay(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Please press Pay again.' })).toBeVisible()
    await opened
    await page.unroute(confirm)
    await pay(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  })

  await test.step('3-D Secure opens, can fail, and can succeed', async () => {
    const bank = page.getByRole('dialog').frameLocator('iframe[title="3-D Secure test page"]')
    await openPayment(page, id)
    await fillCard(page, '4000002760003184')
    await pay(page).click()
    await bank.getByRole('button', { name: 'Fail authentication' }).click()
    await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible()
    await fillCard(page, '4000002760003184')
    await pay(page).click()
    await bank.getByRole('button', { name: 'Complete authentication' }).click()
    await expect(transaction(page)).toBeVisible()
  })
})

test('an order is charged once', async ({ page, context, watch, expectConsole }) => {
  // 409: the webhook has settled the order after the page loaded it as unpaid.
  expectConsole(/ERR_FAILED|status of 400|status of 409 .*\/create-payment-intent/)
  await enterAsNewRider(page)

  await test.step('a double click charges once', async () => {
    await openUnpaidOrder(page)
    const charges: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/confirm') && request.method() === 'POST') charges.push(request.url())
    })
    await fillCard(page, '4242424242424242')
    const release = await hold(page, '**/payment_intents/*/confirm')
    await pay(page).dblclick()
    // Nothing to try again: the card was sent.
    await passSlow(page, 8_010)
    await expect(page.getByText('We are still waiting for an answer about your card.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Try again' })).toHaveCount(0)
    release()
    await expect(transaction(page)).toBeVisible()
    await page.unroute('**/payment_intents/*/confirm')
    expect(charges).toHaveLength(1)
  })

  await test.step('two tabs pay one order with one payment', async () => {
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
    await other.close()
  })

  await test.step('a payment whose response is lost is found at the next attempt, and not made again', async () => {
    await openUnpaidOrder(page)
    await fillCard(page, '4242424242424242')
    const confirmation = '**/payment_intents/*/confirm'
    let intentId = ''
    await context.route(confirmation, async (route) => {
      const response = await route.fetch()
      intentId = (await response.json()).id
      await route.abort()
    })
    await pay(page).click()
    // The page shows it as paid, if the webhook has settled the order.
    const lost = page.getByRole('alert').filter({ hasText: /connecting|connection/i })
    await expect(lost.or(transaction(page))).toBeVisible()
    await context.unroute(confirmation)
    // The webhook may have settled the order. If not, the next attempt finds the payment made.
    await page.reload()
    await expect(page.getByText(`Trx. Id ${intentId}`)).toBeVisible()
    expect(intentId).toMatch(/^pi_/)
  })

  await test.step('after a reload during the payment the order is paid', async () => {
    const id = await openUnpaidOrder(page)
    await fillCard(page, '4242424242424242')
    await page.route(`**/api/order-payment/${id}`, (route) => route.abort())
    await pay(page).click()
    await expect(page.getByText('Payment Successful..!')).toBeVisible()
    // The webhook settles the order.
    await expect
      .poll(async () => {
        await page.reload()
        await expect(page.getByRole('heading', { name: /^Payment for Order/ })).toBeVisible()
        // The heading is there before the order is loaded.
        await expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toHaveCount(0)
        return transaction(page).count()
      })
      .toBe(1)
  })
})

test('an order cannot be paid without the provider, nor by another customer', async ({
  page,
  shop,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED|Failed to load Stripe\.js|status of (400|402|404)/)
  await enterAsNewRider(page)
  const { id } = await placeOrder(page)

  await test.step("a failure to load the provider's script is logged and shown, and the order cannot be paid", async () => {
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

  await test.step('an order that was cancelled elsewhere is not found once the card has failed', async () => {
    const cancelled = await openUnpaidOrder(page)
    await fillCard(page, '4000000000000002')
    await callAs(page, 'DELETE', `/delete-order?id=${cancelled}`)
    await pay(page).click()
    await expect(page.getByText('It may have been cancelled. There is nothing to pay.')).toBeVisible()
  })

  await test.step("another customer's order is not found", async () => {
    await enter(page, 'rider@example.com', shop.password)
    await page.goto(`/dashboard/payment/${id}`)
    await expect(page.getByText('Order not found')).toBeVisible()
  })

  await test.step('the payment page of an admin links to My Orders, which the side menu lacks', async () => {
    await signInAsAdmin(page, shop)
    await openUnpaidOrder(page)
    await page.getByRole('link', { name: 'My Orders' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
  })
})
