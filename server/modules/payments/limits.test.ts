import { expect, test, vi } from 'vitest'
import { payingAs } from '../../../tests/checkout.ts'
import { aCustomer, aGuestOrder, anOrder, payAtSandbox } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop({ trustedProxies: 1, paymentCallsPerNetwork: 4 })
const rider = useCustomer(() => aCustomer(shop))

const { listIntentsFor, open, openedFor } = payingAs(() => ({ shop, rider }))

test('calls that ask the provider are limited per network', async () => {
  const findIntent = vi.spyOn(shop.payments.gateway, 'findIntent')
  // Webhooks ask for other intents.
  const countAsked = () => findIntent.mock.calls.filter(([id]) => id === 'pi_invented').length
  const from = (ip: string, headers = {}) => ({ headers: { ...headers, 'x-forwarded-for': ip } })
  const guest = await aGuestOrder(shop)
  const id = await anOrder(shop, rider)
  const invented = { transactionId: 'pi_invented' }
  const own = { as: rider, ...from('192.0.2.1') }
  const byKey = { ...from('192.0.2.1', guest.headers), params: { id: guest.id } }
  const calls = [
    () => shop.call('createPaymentIntent', { ...own, body: { amount: 40, orderId: id } }),
    () => shop.call('payOrder', { ...own, params: { id }, body: invented }),
    () => shop.call('openOrderPayment', byKey),
    () => shop.call('confirmOrderPayment', { ...byKey, body: invented }),
  ]
  for (const call of calls) expect((await call()).status).not.toBe(429)
  expect(countAsked()).toBe(2)

  const message = 'Too many attempts. Try again in 10 minutes.'
  for (const call of calls) expect(await call()).toMatchObject(refused('TOO_MANY_REQUESTS', { message }))
  expect(countAsked()).toBe(2)
  const other = { ...from('192.0.2.2', guest.headers), params: { id: guest.id } }
  expect((await shop.call('openOrderPayment', other)).status).toBe(200)
})

test('after too many declined cards the payment of an order is closed, and no other can be opened for a day', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  for (let count = 0; count < 11; count++) await payAtSandbox(shop, secret, 'pm_card_chargeDeclined')
  await expect.poll(() => listIntentsFor(orderId)).toMatchObject([{ status: 'cancelled' }])
  expect(await payAtSandbox(shop, secret)).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  })
  const message = 'Too many attempts. Try again in 24 hours.'
  expect(await open({ amount: 40, orderId })).toMatchObject(refused('TOO_MANY_REQUESTS', { message }))
  await openedFor(await anOrder(shop, rider))
})
