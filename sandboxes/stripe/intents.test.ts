import { describe, expect, test } from 'vitest'
import { toFailure, useTestSandbox } from '../../tests/payment-sandbox.ts'

const t = useTestSandbox()

const createIntent = (amount = 12_500) =>
  t.stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { orderId: 'order-1' } })

describe('POST /v1/payment_intents', () => {
  test('returns an intent that requires a payment method', async () => {
    const intent = await createIntent()
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 12_500,
      amount_received: 0,
      currency: 'usd',
      status: 'requires_payment_method',
      metadata: { orderId: 'order-1' },
      payment_method_types: ['card'],
      livemode: false,
    })
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{32}$`))
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
  })

  test.each([
    [49, 'amount_too_small', 'Amount must be at least $0.50 usd'],
    [100_000_000, 'amount_too_large', 'Amount must be no more than $999,999.99'],
    [1.5, 'parameter_invalid_integer', 'Invalid integer: 1.5'],
  ])('rejects the amount %s', async (amount, code, message) => {
    const error = await toFailure(createIntent(amount))
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', code, message, param: 'amount' })
  })

  test('rejects another currency and an unsupported parameter', async () => {
    const euros = await toFailure(t.stripe.paymentIntents.create({ amount: 500, currency: 'eur' }))
    expect(euros).toMatchObject({ message: 'The sandbox supports only usd, not eur.' })
    const captured = t.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      capture_method: 'manual',
    })
    expect(await toFailure(captured)).toMatchObject({ code: 'parameter_unknown', param: 'capture_method' })
  })
})

describe('POST /v1/payment_intents/:id/cancel', () => {
  test('cancels an unpaid intent, even during 3-D Secure', async () => {
    const open = await createIntent()
    const waiting = await createIntent()
    await t.stripe.paymentIntents.confirm(waiting.id, { payment_method: 'pm_card_authenticationRequired' })
    for (const { id } of [open, waiting]) {
      const canceled = await t.stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
      expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' })
      expect(canceled.canceled_at).toBeGreaterThan(1_700_000_000)
      const paid = await toFailure(t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))
      expect(paid).toMatchObject({
        message: 'You cannot confirm this PaymentIntent because it has a status of canceled.',
      })
    }
  })

  test('rejects a paid intent', async () => {
    const { id } = await createIntent()
    await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    const error = await toFailure(t.stripe.paymentIntents.cancel(id))
    expect(error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'succeeded', amount_received: 12_500 },
    })
    expect(error).toMatchObject({
      message: expect.stringContaining('because it has a status of succeeded'),
    })
  })

  test('and a concurrent payment: exactly one of them succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await createIntent()
      await Promise.allSettled([
        t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
        t.stripe.paymentIntents.cancel(id),
      ])
      const { status } = await t.stripe.paymentIntents.retrieve(id)
      const charges = (await t.rows('charges')).filter(({ payment_intent_id }) => payment_intent_id === id)
      expect([status, charges.length]).toEqual(status === 'succeeded' ? [status, 1] : ['canceled', 0])
    }
  })
})

test('an unknown intent is resource_missing', async () => {
  expect(await toFailure(t.stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such payment_intent: 'pi_none'",
  })
})

test('all data persists after the sandbox is closed and opened again', async () => {
  const { id, client_secret } = await createIntent()
  await t.restart()
  const paid = await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  expect(paid).toMatchObject({ client_secret, status: 'succeeded', metadata: { orderId: 'order-1' } })
})
