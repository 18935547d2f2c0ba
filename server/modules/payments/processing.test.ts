import { expect, test } from 'vitest'
import { payingAs } from '../../../tests/checkout.ts'
import {
  aCustomer,
  anAdmin,
  anOrder,
  decideAtSandbox,
  payAtSandbox,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { expireUnpaidOrders } from './cancellation.ts'
import { reconcilePayments } from './jobs.ts'
import { settle, settleIntent } from './service.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { open, openedFor, toOrder, cancel } = payingAs(() => ({ shop, rider }))
const listed = async (as: TestCustomer, query = {}) => (await shop.call('listOrders', { as, query })).body
const listKinds = async (id: string) => ((await toOrder(id)).history ?? []).map(({ kind }) => kind)
/** Pays with a card whose payment takes time, and waits until the webhook has arrived. */
async function startPayment(card: string) {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  const { intentId, body } = await payAtSandbox(shop, secret, card)
  expect(body.status).toBe('processing')
  await expect.poll(() => toOrder(orderId)).toMatchObject({ processing: true })
  return {
    orderId,
    secret,
    intentId,
    decide: () => decideAtSandbox(shop, `payment_intents/${intentId}`, secret),
  }
}

test('the customer and the admin see that a payment is processing', async () => {
  const { orderId } = await startPayment('pm_card_sandboxProcessing')
  const admin = await anAdmin(shop)
  expect(await listed(rider, { email: rider.email })).toMatchObject([{ payment: false, processing: true }])
  expect(await listed(admin)).toMatchObject([{ payment: false, processing: true }])
  expect(await listKinds(orderId)).toEqual(['placed', 'processing'])
})

test('an order whose payment is processing cannot be paid again, cancelled or expired', async () => {
  const { orderId, intentId } = await startPayment('pm_card_sandboxProcessing')
  expect(await open({ amount: 40, orderId })).toMatchObject(refused('PAYMENT_IN_PROGRESS'))
  expect(await cancel(orderId)).toMatchObject(refused('PAYMENT_IN_PROGRESS'))
  const report = shop.call('payOrder', {
    as: rider,
    params: { id: orderId },
    body: { transactionId: intentId },
  })
  expect(await report).toMatchObject(refused('PAYMENT_IN_PROGRESS'))
  await shop.db
    .updateTable('orders')
    .set({ placed_at: new Date(0) })
    .where('id', '=', orderId)
    .execute()
  await expireUnpaidOrders(shop.payments)
  expect(await toOrder(orderId)).toMatchObject({ payment: false, processing: true })
})

test('a webhook ends a processing payment: if it succeeds, the order is paid', async () => {
  const { orderId, decide } = await startPayment('pm_card_sandboxProcessing')
  expect((await decide()).body.status).toBe('succeeded')
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true, processing: false })
  expect(await listKinds(orderId)).toEqual(['placed', 'processing', 'paid'])
})

test('a webhook ends a processing payment: if it fails, the order can be paid again', async () => {
  const { orderId, decide, secret } = await startPayment('pm_card_sandboxProcessingDeclined')
  expect((await decide()).body).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  })
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: false, processing: false })
  expect(await listKinds(orderId)).toEqual(['placed', 'processing', 'payment_failed'])
  expect(await openedFor(orderId)).toBe(secret)
  await payAtSandbox(shop, secret)
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true })
})

test.each([
  ['pm_card_sandboxProcessing', { payment: true, processing: false }, 'paid'],
  ['pm_card_sandboxProcessingDeclined', { payment: false, processing: false }, 'payment_failed'],
])('the reconciling job ends a processing payment without a webhook: %s', async (card, state, kind) => {
  const { orderId, decide } = await startPayment(card)
  await whileWebhooksAreLost(shop, decide)
  expect(await toOrder(orderId)).toMatchObject({ processing: true })
  await shop.db
    .updateTable('payments')
    .set({ checked_at: new Date(0) })
    .execute()
  await Promise.all([reconcilePayments(shop.payments), reconcilePayments(shop.payments)])
  expect(await toOrder(orderId)).toMatchObject(state)
  expect(await listKinds(orderId)).toEqual(['placed', 'processing', kind])
})

test('a late response about a processing payment does not undo its final status', async () => {
  const { orderId, intentId, decide } = await startPayment('pm_card_sandboxProcessing')
  const stale = await shop.payments.gateway.findIntent(intentId)
  if (!stale) throw new Error('the provider has the intent')
  await decide()
  await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true })
  await settle(shop.payments, stale, 'processing')
  const payment = await shop.db.selectFrom('payments').select('status').executeTakeFirstOrThrow()
  expect(payment.status).toBe('succeeded')
  expect(await listKinds(orderId)).toEqual(['placed', 'processing', 'paid'])
})

test('a response from before a payment was processing does not undo it when it arrives late', async () => {
  const orderId = await anOrder(shop, rider)
  const secret = await openedFor(orderId)
  const { intent_id } = await shop.db.selectFrom('payments').select('intent_id').executeTakeFirstOrThrow()
  const { gateway } = shop.payments
  const slowGateway = {
    ...gateway,
    findIntent: async (id: string) => {
      const intent = await gateway.findIntent(id)
      await payAtSandbox(shop, secret, 'pm_card_sandboxProcessing')
      await expect.poll(() => toOrder(orderId)).toMatchObject({ processing: true })
      return intent
    },
  }
  expect(await settleIntent({ ...shop.payments, gateway: slowGateway }, intent_id)).toBe('not paid')
  expect(await toOrder(orderId)).toMatchObject({ processing: true })
  expect(await listKinds(orderId)).toEqual(['placed', 'processing'])
})
