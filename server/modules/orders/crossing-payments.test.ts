import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCustomer, anOrder, aProduct, payAtSandbox, type TestCustomer } from '../../../tests/factories.ts'
import { payingAs } from '../../../tests/paying.ts'
import { openTestShop, refused, type TestShop } from '../../../tests/shop.ts'
import { reconcile } from './reconcile.ts'
import { settle } from './settlement.ts'

let shop: TestShop
let rider: TestCustomer

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
})

const { cancel, intentsOf, openedFor, orderOf } = payingAs(() => ({ shop, rider }))

/** Money for an order by a payment that the shop has not opened, as when it was made at the provider's desk. */
async function payAtDesk(orderId: string, amountCents = 4000): Promise<string> {
  const intent = await shop.payments.gateway.createIntent({ orderId, amountCents, attempt: 99 })
  return (await payAtSandbox(shop, intent.clientSecret)).intentId
}

test('cancelling closes the payment at the provider: it can be paid no more', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  expect((await cancel(orderId)).body.deletedCount).toBe(1)
  const late = await payAtSandbox(shop, secret)
  expect(late.body.error.code).toBe('payment_intent_unexpected_state')
  expect(await intentsOf(orderId)).toMatchObject([{ status: 'cancelled' }])
})

test('an order that was paid a moment ago is settled instead of cancelled', async () => {
  const productId = await aProduct(shop, { quantity: 5, price: 40 })
  const orderId = await anOrder(shop, rider, { productId })
  await payAtSandbox(shop, await openedFor(orderId))
  expect(await cancel(orderId)).toMatchObject(refused('ORDER_ALREADY_PAID'))
  expect(await orderOf(orderId)).toMatchObject({ payment: true })
  expect((await shop.call('getProduct', { params: { id: productId } })).body.quantity).toBe(4)
})

test('money for an order that is gone goes back in full, once, with a record', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', orderId).execute()
  const { intentId } = await payAtSandbox(shop, secret)
  await expect
    .poll(() => intentsOf(orderId), { timeout: 10_000 })
    .toMatchObject([{ intent_id: intentId, status: 'refunded', refund_reason: 'order cancelled' }])
})

test('money of another amount than the order goes back in full', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db.updateTable('orders').set({ amount_cents: 5000 }).where('id', '=', orderId).execute()
  await payAtSandbox(shop, secret)
  await expect
    .poll(() => intentsOf(orderId), { timeout: 10_000 })
    .toMatchObject([{ status: 'refunded', refund_reason: 'amount differs' }])
  expect(await orderOf(orderId)).toMatchObject({ payment: false })
})

test('money for an order that another payment has paid goes back in full', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  await shop.db
    .updateTable('orders')
    .set({ status: 'paid', transaction_id: 'pi_other' })
    .where('id', '=', orderId)
    .execute()
  await payAtSandbox(shop, secret)
  await expect
    .poll(() => intentsOf(orderId), { timeout: 10_000 })
    .toMatchObject([{ status: 'refunded', refund_reason: 'order paid already' }])
  expect(await orderOf(orderId)).toMatchObject({ payment: true, transactionId: 'pi_other' })
})

test('what the provider said before the payment succeeded, and is heard after it, changes nothing', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  const [early] = await intentsOf(orderId)
  const before = await shop.payments.gateway.retrieveIntent(early?.intent_id ?? '')
  await payAtSandbox(shop, secret)
  await expect.poll(() => orderOf(orderId)).toMatchObject({ payment: true })
  expect(await settle(shop.payments, before)).toBe('not paid')
  expect(await intentsOf(orderId)).toMatchObject([{ status: 'succeeded' }])
})

test('money that came by another way pays the order, and closes the payment that was open', async () => {
  const orderId = await anOrder(shop, rider)
  const { intentId: opened } = await payAtSandbox(shop, await openedFor(orderId), 'pm_card_chargeDeclined')
  const intentId = await payAtDesk(orderId)
  await expect
    .poll(() => orderOf(orderId), { timeout: 10_000 })
    .toMatchObject({ payment: true, transactionId: intentId })
  expect(await intentsOf(orderId)).toMatchObject([
    { intent_id: opened, status: 'cancelled' },
    { intent_id: intentId, status: 'succeeded' },
  ])
  expect(await shop.payments.gateway.retrieveIntent(opened)).toMatchObject({ status: 'canceled' })
})

test('money that came by another way for a paid order goes back in full, with a record', async () => {
  const orderId = await anOrder(shop, rider)
  const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
  await expect.poll(() => orderOf(orderId)).toMatchObject({ payment: true })
  const second = await payAtDesk(orderId)
  await expect
    .poll(() => intentsOf(orderId), { timeout: 10_000 })
    .toMatchObject([
      { intent_id: intentId, status: 'succeeded' },
      { intent_id: second, status: 'refunded', refund_reason: 'order paid already' },
    ])
  const { body } = await shop.call('getOrder', { as: rider, query: { id: orderId } })
  expect(body.history?.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'refund_due', 'refunded'])
})

test('the reconciling job settles what nobody told us about', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  // The webhook is lost: the shop believes that it has handled every event there will be.
  await payAtSandbox(shop, secret)
  await expect.poll(() => orderOf(orderId)).toMatchObject({ payment: true })
  await shop.db
    .updateTable('orders')
    .set({ status: 'unpaid', transaction_id: null })
    .where('id', '=', orderId)
    .execute()
  await shop.db
    .updateTable('payments')
    .set({ status: 'open', created_at: new Date(Date.now() - 120_000) })
    .where('order_id', '=', orderId)
    .execute()
  await reconcile(shop.payments)
  expect(await orderOf(orderId)).toMatchObject({ payment: true })
})

test('who pays and cancels at once has either a paid order or no order and no charge', async () => {
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
