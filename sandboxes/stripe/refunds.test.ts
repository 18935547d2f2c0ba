import { expect, test } from 'vitest'
import { useTestSandbox } from '../../tests/payment-sandbox.ts'

const t = useTestSandbox()

async function pay(amount: number): Promise<string> {
  const { id } = await t.stripe.paymentIntents.create({ amount, currency: 'usd' })
  await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  return id
}

test('refunds the whole amount by default', async () => {
  const payment_intent = await pay(4000)
  const refund = await t.stripe.refunds.create({ payment_intent, reason: 'requested_by_customer' })
  expect(refund).toMatchObject({ amount: 4000, status: 'succeeded', payment_intent, currency: 'usd' })
  expect(await t.stripe.refunds.retrieve(refund.id)).toMatchObject({ reason: 'requested_by_customer' })
  expect(await t.rows('charges')).toMatchObject([{ amount_refunded_cents: 4000 }])
})

test('never refunds more than was paid', async () => {
  const payment_intent = await pay(4000)
  await t.stripe.refunds.create({ payment_intent, amount: 1500 })
  await expect(t.stripe.refunds.create({ payment_intent, amount: 2501 })).rejects.toThrow(
    'Refund amount (2501) is greater than unrefunded amount on charge (2500)',
  )
  expect(await t.stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 2500 })
  await expect(t.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  })
})

test('refunds once for five concurrent requests', async () => {
  const payment_intent = await pay(4000)
  const refunds = Array.from({ length: 5 }, () => t.stripe.refunds.create({ payment_intent }))
  const settled = await Promise.allSettled(refunds)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await t.stripe.refunds.list({ payment_intent })).data).toHaveLength(1)
})

test('requires a payment', async () => {
  const { id } = await t.stripe.paymentIntents.create({ amount: 4000, currency: 'usd' })
  await expect(t.stripe.refunds.create({ payment_intent: id })).rejects.toThrow(
    'does not have a successful charge to refund',
  )
  await expect(t.stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  })
})

test('lists are paged, newest first', async () => {
  const payment_intent = await pay(4000)
  for (const amount of [100, 200, 300]) await t.stripe.refunds.create({ payment_intent, amount })
  const page = await t.stripe.refunds.list({ payment_intent, limit: 2 })
  expect(page).toMatchObject({ has_more: true, data: [{ amount: 300 }, { amount: 200 }] })
  const next = { payment_intent, limit: 2, starting_after: page.data[1]?.id ?? '' }
  expect(await t.stripe.refunds.list(next)).toMatchObject({ has_more: false, data: [{ amount: 100 }] })
  await expect(t.stripe.refunds.list({ starting_after: 're_none' })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'starting_after',
  })
  await expect(t.stripe.refunds.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
})
