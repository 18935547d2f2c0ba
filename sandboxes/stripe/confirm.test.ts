import { describe, expect, test } from 'vitest'
import { asBrowser, toFailure, useTestSandbox } from '../../tests/payment-sandbox.ts'

const t = useTestSandbox()

const createIntent = (amount = 12_500) =>
  t.stripe.paymentIntents.create({ amount, currency: 'usd', metadata: { orderId: 'order-1' } })

describe('POST /v1/payment_intents/:id/confirm', () => {
  test.each(['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'])('%s is charged', async (card) => {
    const { id } = await createIntent()
    const intent = await t.stripe.paymentIntents.confirm(id, { payment_method: card })
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 12_500 })
    expect(await t.rows('charges')).toMatchObject([{ amount_cents: 12_500, status: 'succeeded' }])
  })

  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card', 'Your card has expired.'],
    [
      'pm_card_chargeDeclinedIncorrectCvc',
      'incorrect_cvc',
      'incorrect_cvc',
      "Your card's security code is incorrect.",
    ],
    [
      'pm_card_chargeDeclinedProcessingError',
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ],
  ])('%s is declined, and another card can be tried', async (card, code, decline_code, message) => {
    const { id } = await createIntent()
    const error = await toFailure(t.stripe.paymentIntents.confirm(id, { payment_method: card }))
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code, message })
    expect(error).toMatchObject({ payment_intent: { id, status: 'requires_payment_method' } })
    const failed = await t.stripe.paymentIntents.retrieve(id)
    expect(failed).toMatchObject({ amount_received: 0, last_payment_error: { code, message } })

    const paid = await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
    expect(await t.rows('charges')).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
  })

  test('charges once, however often it is confirmed', async () => {
    const { id } = await createIntent()
    await t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    const error = await toFailure(t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }))
    expect(error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      message:
        'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      payment_intent: { status: 'succeeded' },
    })
    expect(await t.rows('charges')).toHaveLength(1)
  })

  test('charges once for twelve concurrent confirmations', async () => {
    const { id } = await createIntent()
    const confirmations = Array.from({ length: 12 }, () =>
      t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }),
    )
    const settled = await Promise.allSettled(confirmations)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await t.rows('charges')).toHaveLength(1)
    const events = (await t.rows('events')).filter(({ type }) => type === 'payment_intent.succeeded')
    expect(events).toHaveLength(1)
  })

  test('requires an existing payment method', async () => {
    const { id } = await createIntent()
    const unknown = t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_unknown' })
    expect(await toFailure(unknown)).toMatchObject({ code: 'resource_missing', param: 'payment_method' })
    expect(await toFailure(t.stripe.paymentIntents.confirm(id))).toMatchObject({ code: 'parameter_missing' })
  })
})

/** Confirms with a card that requires 3-D Secure. `authenticate` is the call of the 3-D Secure page. */
async function startAuthentication(card: string) {
  const { id, client_secret } = await createIntent()
  const intent = await t.stripe.paymentIntents.confirm(id, { payment_method: card })
  const authenticate = (outcome: string) =>
    asBrowser(t.listener, 'POST', `/payment_intents/${id}/sandbox_authenticate`, {
      client_secret: String(client_secret),
      outcome,
    })
  return { intent, authenticate }
}

describe('3-D Secure', () => {
  test('is requested before the charge', async () => {
    const { intent } = await startAuthentication('pm_card_authenticationRequired')
    expect(await t.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_action',
      amount_received: 0,
      next_action: { type: 'use_stripe_sdk' },
    })
    expect(await t.rows('charges')).toEqual([])
  })

  test('charges after the customer has passed', async () => {
    const { authenticate } = await startAuthentication('pm_card_authenticationRequired')
    expect(await authenticate('complete')).toMatchObject({ status: 200, body: { status: 'succeeded' } })
    expect(await authenticate('complete')).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    })
  })

  test('charges nothing if the customer fails', async () => {
    const { authenticate } = await startAuthentication('pm_card_authenticationRequired')
    expect(await authenticate('fail')).toMatchObject({
      status: 200,
      body: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_authentication_failure' },
      },
    })
    expect(await t.rows('charges')).toEqual([])
  })

  test('can be passed although the card is declined afterwards', async () => {
    const { authenticate } = await startAuthentication('pm_card_threeDSecureRequiredChargeDeclined')
    expect(await authenticate('complete')).toMatchObject({
      status: 402,
      body: { error: { code: 'card_declined', message: 'Your card was declined.' } },
    })
  })

  test('is abandoned by trying another card', async () => {
    const { intent } = await startAuthentication('pm_card_authenticationRequired')
    const paid = await t.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(paid.status).toBe('succeeded')
  })
})
