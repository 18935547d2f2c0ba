import { expect, test } from 'vitest'
import { payingAs } from '../../../tests/checkout.ts'
import { aCustomer, anOrder, aProduct, payAtSandbox } from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { reconcilePayments } from './jobs.ts'
import { settle } from './service.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { cancel, listIntentsFor, openedFor, toOrder } = payingAs(() => ({ shop, rider }))

/** Pays an order by a payment that the shop has not opened, as an employee can in the provider's dashboard. */
async function payInDashboard(orderId: string, amountCents = 4000): Promise<string> {
  const intent = await shop.payments.gateway.createIntent({ orderId, amountCents, attempt: 99 })
  return (await payAtSandbox(shop, intent.clientData.client_secret)).intentId
}

test('cancelling closes the payment at the provider, so that it can no longer be paid', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  expect((await cancel(orderId)).body.deletedCount).toBe(1)
  const late = await payAtSandbox(shop, secret)
  expect(late.body.error.code).toBe('payment_intent_unexpected_state')
  expect(await listIntentsFor(orderId)).toMatchObject([{ status: 'cancelled' }])
})

test('an order that was paid a moment ago is settled instead of cancelled', async () => {
  const productId = await aProduct(shop, { quantity: 5, price: 40 })
  const orderId = await anOrder(shop, rider, { productId })
  await payAtSandbox(shop, await openedFor(orderId))
  expect(await cancel(orderId)).toMatchObject(refused('ORDER_ALREADY_PAID'))
  expect(await toOrder(orderId)).toMatchObject({ payment: true })
  expect((await shop.call('getProduct', { params: { id: productId } })).body.quantity).toBe(4)
})

test('a payment for a cancelled order is refunded in full, once, with a record', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', orderId).execute()
  const { intentId } = await payAtSandbox(shop, secret)
  await expect
    .poll(() => listIntentsFor(orderId))
    .toMatchObject([{ intent_id: intentId, status: 'unmatched', refund: 'order cancelled: succeeded' }])
})

test('a payment of another amount than the order is refunded in full', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db.updateTable('orders').set({ amount_cents: 5000 }).where('id', '=', orderId).execute()
  await payAtSandbox(shop, secret)
  await expect
    .poll(() => listIntentsFor(orderId))
    .toMatchObject([{ status: 'unmatched', refund: 'amount mismatch: succeeded' }])
  expect(await toOrder(orderId)).toMatchObject({ payment: false })
})

test('a payment for an order that another payment has paid is refunded in full', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db
    .updateTable('orders')
    .set({ status: 'paid', payment_provider: 'stripe', transaction_id: 'pi_other' })
    .where('id', '=', orderId)
    .execute()
  await payAtSandbox(shop, secret)
  await expect
    .poll(() => listIntentsFor(orderId))
    .toMatchObject([{ status: 'unmatched', refund: 'order already paid: succeeded' }])
  expect(await toOrder(orderId)).toMatchObject({ payment: true, transactionId: 'pi_other' })
})

test('a provider response from before the payment succeeded changes nothing when it arrives late', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  const [early] = await listIntentsFor(orderId)
  const before = await shop.payments.gateway.findIntent(early?.intent_id ?? '')
  if (!before) throw new Error('the provider has the intent')
  await payAtSandbox(shop, secret)
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true })
  expect(await settle(shop.payments, before, 'open')).toBe('not paid')
  expect(await listIntentsFor(orderId)).toMatchObject([{ status: 'succeeded' }])
})

test('a payment made in the dashboard pays the order and closes the open payment', async () => {
  const orderId = await anOrder(shop, rider)
  const { intentId: opened } = await payAtSandbox(shop, await openedFor(orderId), 'pm_card_chargeDeclined')
  const intentId = await payInDashboard(orderId)
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true, transactionId: intentId })
  expect(await listIntentsFor(orderId)).toMatchObject([
    { intent_id: opened, status: 'cancelled' },
    { intent_id: intentId, status: 'succeeded' },
  ])
  expect(await shop.payments.gateway.findIntent(opened)).toMatchObject({ status: 'cancelled' })
})

test('a payment made in the dashboard for a paid order is refunded in full, with a record', async () => {
  const orderId = await anOrder(shop, rider)
  const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true })
  const second = await payInDashboard(orderId)
  await expect
    .poll(() => listIntentsFor(orderId))
    .toMatchObject([
      { intent_id: intentId, status: 'succeeded' },
      { intent_id: second, status: 'unmatched', refund: 'order already paid: succeeded' },
    ])
  const { body } = await shop.call('getOrder', { as: rider, query: { id: orderId } })
  expect(body.history?.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'refund_due', 'refunded'])
})

test('the reconciling job settles a payment that no webhook has reported', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await whileWebhooksAreLost(shop, () => payAtSandbox(shop, secret))
  expect(await toOrder(orderId)).toMatchObject({ payment: false })
  await shop.db
    .updateTable('payments')
    .set({ checked_at: new Date(Date.now() - 120_000) })
    .where('order_id', '=', orderId)
    .execute()
  await reconcilePayments(shop.payments)
  expect(await toOrder(orderId)).toMatchObject({ payment: true })
})

test('paying and cancelling concurrently ends in a paid order, or in no order and no charge', async () => {
  for (let round = 0; round < 5; round++) {
    const orderId = await anOrder(shop, rider)
    const secret = await openedFor(orderId)
    const [payment, cancellation] = await Promise.all([payAtSandbox(shop, secret), cancel(orderId)])
    const isPaid = payment.status === 200
    expect(cancellation.status).toBe(isPaid ? 409 : 200)
    const { status } = await shop.db
      .selectFrom('orders')
      .select('status')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(status).toBe(isPaid ? 'paid' : 'cancelled')
  }
})
