import { expect, onTestFinished, test, vi } from 'vitest'
import { asBrowser, useTestSandbox } from '../../tests/payment-sandbox.ts'

const t = useTestSandbox()

async function pay(payment_method: string) {
  const { id } = await t.stripe.paymentIntents.create({ amount: 4000, currency: 'usd' })
  return t.stripe.paymentIntents.confirm(id, { payment_method })
}

const decide = (path: string, client_secret = '') =>
  asBrowser(t.listener, 'POST', `${path}/sandbox_decide`, client_secret ? { client_secret } : {})

/** Makes all pending decisions due. */
const makeDecisionsDue = (table: 'payment_intents' | 'refunds') =>
  t.database.pool.query(`update sandbox.${table} set decided_at = now() where decided_at is not null`)

test('a processing payment is not charged and can be neither cancelled nor paid', async () => {
  const intent = await pay('pm_card_sandboxProcessing')
  expect(intent).toMatchObject({ status: 'processing', amount_received: 0 })
  expect(await t.rows('charges')).toEqual([])
  const unexpected = { code: 'payment_intent_unexpected_state' }
  await expect(t.stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject(unexpected)
  const again = t.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  await expect(again).rejects.toMatchObject(unexpected)
  expect((await t.inbox.first('payment_intent.processing')).event).toMatchObject({
    data: { object: { id: intent.id, status: 'processing' } },
  })
})

test('the clock of the database decides, not the clock of this process', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  await pay('pm_card_sandboxProcessing')
  const { id } = await t.stripe.paymentIntents.create({ amount: 4000, currency: 'usd' })
  await t.stripe.paymentIntents.cancel(id)
  const { rows } = await t.database.pool.query(`
    select max(canceled_at) <= now() as cancelled, max(decided_at) between now() and now() + interval '2 minutes' as soon
    from sandbox.payment_intents`)
  expect(rows).toEqual([{ cancelled: true, soon: true }])
})

test.each([
  ['pm_card_sandboxProcessing', 'succeeded', 'payment_intent.succeeded', 1],
  ['pm_card_sandboxProcessingDeclined', 'requires_payment_method', 'payment_intent.payment_failed', 0],
] as const)('%s can be decided immediately by a request: %s', async (card, status, type, charged) => {
  const { id, client_secret } = await pay(card)
  expect(await decide(`/payment_intents/${id}`, 'guessed')).toMatchObject({ status: 404 })
  expect(await decide(`/payment_intents/${id}`, String(client_secret))).toMatchObject({
    status: 200,
    body: { id, status },
  })
  expect(await decide(`/payment_intents/${id}`, String(client_secret))).toMatchObject({ status: 400 })
  expect((await t.rows('charges')).filter(({ status }) => status === 'succeeded')).toHaveLength(charged)
  expect((await t.rows('events')).filter((event) => event.type === type)).toHaveLength(1)
})

test('a processing payment is decided automatically, once, even by the next process', async () => {
  const { id } = await pay('pm_card_sandboxProcessing')
  await t.restart(() => makeDecisionsDue('payment_intents'))
  await t.inbox.first('payment_intent.succeeded')
  expect(await t.stripe.paymentIntents.retrieve(id)).toMatchObject({
    status: 'succeeded',
    amount_received: 4000,
  })
  expect(await t.rows('charges')).toHaveLength(1)
})

test('a pending refund succeeds later', async () => {
  const { id: payment_intent } = await pay('pm_card_pendingRefund')
  const refund = await t.stripe.refunds.create({ payment_intent })
  expect(refund.status).toBe('pending')
  await t.restart(() => makeDecisionsDue('refunds'))
  await t.inbox.first('refund.updated')
  expect(await t.stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' })
})

test('a refund can fail after its success, and the charge can be refunded again, once', async () => {
  const { id: payment_intent } = await pay('pm_card_refundFail')
  const first = await t.stripe.refunds.create({ payment_intent })
  expect(first.status).toBe('succeeded')
  const again = () => t.stripe.refunds.create({ payment_intent })
  await expect(again()).rejects.toMatchObject({ code: 'charge_already_refunded' })
  expect(await decide(`/refunds/${first.id}`)).toMatchObject({
    status: 200,
    body: { status: 'failed', failure_reason: 'expired_or_canceled_card' },
  })
  expect(await t.rows('charges')).toMatchObject([{ amount_refunded_cents: 0 }])
  expect(await again()).toMatchObject({ status: 'succeeded', amount: 4000 })
  await expect(again()).rejects.toMatchObject({ code: 'charge_already_refunded' })
  expect(await decide(`/refunds/${first.id}`)).toMatchObject({ body: { status: 'failed' } })
  expect(await decide('/refunds/re_none')).toMatchObject({ status: 404 })
})
