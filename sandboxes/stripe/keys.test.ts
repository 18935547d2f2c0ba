import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { asBrowser, stripeAt, testSettings, useTestSandbox } from '../../tests/payment-sandbox.ts'
import { openPaymentSandbox } from './sandbox.ts'

const t = useTestSandbox()

const CARD = {
  type: 'card',
  'card[number]': '4242 4242 4242 4242',
  'card[exp_month]': '12',
  'card[exp_year]': '34',
  'card[cvc]': '123',
}

describe('keys', () => {
  test('a wrong key is rejected, and masked in the message', async () => {
    const stripe = stripeAt(t.listener, 'sk_test_somebody_elses')
    await expect(stripe.refunds.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      message: 'Invalid API Key provided: sk_test_********',
    })
  })

  test('a missing key is rejected', async () => {
    const response = await fetch(`http://127.0.0.1:${t.listener.port}/v1/refunds`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { message: 'You did not provide an API key.' } })
  })

  test.each([
    ['POST', '/payment_intents', { amount: '500', currency: 'usd' }],
    ['POST', '/refunds', { payment_intent: 'pi_1' }],
    ['GET', '/refunds', {}],
  ] as const)("the publishable key can't %s %s", async (method, path, params) => {
    expect(await asBrowser(t.listener, method, path, params)).toMatchObject({
      status: 401,
      body: { error: { code: 'secret_key_required' } },
    })
  })

  test('the publishable key requires the client secret, and does not return internal fields', async () => {
    const intent = await t.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      metadata: { orderId: 'order-1' },
    })
    const path = `/payment_intents/${intent.id}`
    expect(await asBrowser(t.listener, 'GET', path, {})).toMatchObject({ status: 404 })
    const client_secret = `${intent.id}_secret_guessed`
    const confirm = { client_secret, payment_method: 'pm_card_visa' }
    expect(await asBrowser(t.listener, 'POST', `${path}/confirm`, confirm)).toMatchObject({ status: 404 })
    expect(await asBrowser(t.listener, 'POST', `${path}/cancel`, confirm)).toMatchObject({ status: 401 })

    const shown = await asBrowser(t.listener, 'GET', path, { client_secret: String(intent.client_secret) })
    expect(shown).toMatchObject({ status: 200, body: { amount: 500, status: 'requires_payment_method' } })
    expect(Object.keys(shown.body)).not.toContain('metadata')
    expect(Object.keys(shown.body)).not.toContain('amount_received')
  })

  test.each([
    ['a live secret key', { secretKey: 'sk_live_money' }],
    ['a live publishable key', { publishableKey: 'pk_live_money' }],
    ['no key', { secretKey: 'sk_test_' }],
  ])('the sandbox does not open with %s', (_what, keys) => {
    const settings = { ...testSettings(t.database.url, t.inbox.url), ...keys }
    expect(() => openPaymentSandbox(settings)).toThrow(/needs a (secret|publishable) key that starts with/)
  })
})

describe('POST /v1/payment_methods', () => {
  test('turns a test card into an id, and stores neither number nor security code', async () => {
    const { status, body } = await asBrowser(t.listener, 'POST', '/payment_methods', CARD)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^pm_/),
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
    })
    const { rows } = await sql`select * from sandbox.payment_methods`.execute(t.database.db)
    const { rows: keys } = await sql`select * from sandbox.idempotency_keys`.execute(t.database.db)
    expect(JSON.stringify([rows, keys])).not.toMatch(/4242424242424242|"123"/)
    expect(rows).toMatchObject([{ behaviour: 'succeeds', last4: '4242' }])
  })

  test('rejects a card number that could be real', async () => {
    const real = { ...CARD, 'card[number]': '4111111111111111' }
    expect(await asBrowser(t.listener, 'POST', '/payment_methods', real)).toMatchObject({
      status: 402,
      body: {
        error: {
          code: 'card_declined',
          message: 'Your card was declined. Only test cards are accepted here: never type a real card.',
        },
      },
    })
  })

  test.each([
    [{ 'card[exp_year]': '20' }, 'invalid_expiry_year', "Your card's expiration year is invalid."],
    [{ 'card[exp_month]': '13' }, 'invalid_expiry_month', "Your card's expiration month is invalid."],
    [{ 'card[cvc]': '12' }, 'invalid_cvc', "Your card's security code is invalid."],
    [{ 'card[cvc]': '' }, 'parameter_missing', 'Missing required param: card[cvc].'],
    [{ type: 'sepa_debit' }, undefined, 'The sandbox supports only cards.'],
  ])('rejects %o', async (change, code, message) => {
    const { body } = await asBrowser(t.listener, 'POST', '/payment_methods', { ...CARD, ...change })
    expect(body.error).toMatchObject(code ? { code, message } : { message })
  })
})
