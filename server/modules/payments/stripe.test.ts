import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { failureOf, TEST_KEYS, useTestSandbox } from '../../../tests/payment-sandbox.ts'
import {
  IntentNotFound,
  IntentStateConflict,
  type PaymentGateway,
  ProviderRefused,
  SignatureInvalid,
} from './gateway.ts'
import { openStripeGateway } from './stripe.ts'

const t = useTestSandbox()
let gateway: PaymentGateway

beforeEach(() => {
  const { secretKey, webhookSecret } = TEST_KEYS
  gateway = openStripeGateway({ secretKey, webhookSecret, api: t.listener })
})

const ORDER = { orderId: 'order-1', amountCents: 12_500, attempt: 1 }

const pay = (id: string) => t.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })

describe('createIntent', () => {
  test('asks for the amount in dollars, by card, for the order', async () => {
    const intent = await gateway.createIntent(ORDER)
    expect(intent).toEqual({
      id: expect.stringMatching(/^pi_/),
      clientSecret: expect.stringContaining(`${intent.id}_secret_`),
      status: 'requires_payment_method',
      amountCents: 12_500,
      amountReceivedCents: 0,
      currency: 'usd',
      orderId: 'order-1',
    })
  })

  test('answers one intent for one attempt, and another for the next', async () => {
    const [first, same] = await Promise.all([gateway.createIntent(ORDER), gateway.createIntent(ORDER)])
    expect(same).toEqual(first)
    expect((await gateway.createIntent({ ...ORDER, attempt: 2 })).id).not.toBe(first.id)
  })

  test('is refused where the amount of an attempt has changed', async () => {
    await gateway.createIntent(ORDER)
    const error = await failureOf(gateway.createIntent({ ...ORDER, amountCents: 1 + ORDER.amountCents }))
    expect(error).toBeInstanceOf(ProviderRefused)
  })
})

describe('retrieveIntent', () => {
  test('tells what was collected', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    expect(await gateway.retrieveIntent(id)).toMatchObject({
      status: 'succeeded',
      amountReceivedCents: 12_500,
      orderId: 'order-1',
    })
  })

  test('an intent without an order has none', async () => {
    const { id } = await t.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    expect(await gateway.retrieveIntent(id)).toMatchObject({ orderId: null })
  })

  test('an unknown intent is not found', async () => {
    expect(await failureOf(gateway.retrieveIntent('pi_none'))).toBeInstanceOf(IntentNotFound)
  })
})

describe('cancelIntent', () => {
  test('cancels, and says so again when asked again', async () => {
    const { id } = await gateway.createIntent(ORDER)
    expect(await gateway.cancelIntent(id)).toMatchObject({ id, status: 'canceled' })
    expect(await gateway.cancelIntent(id)).toMatchObject({ id, status: 'canceled' })
  })

  test('a paid intent is a conflict that tells how it stands, without spelling out its secret', async () => {
    const { id, clientSecret } = await gateway.createIntent(ORDER)
    await pay(id)
    const error = await failureOf(gateway.cancelIntent(id))
    expect(error).toBeInstanceOf(IntentStateConflict)
    if (!(error instanceof IntentStateConflict)) return
    expect(error.intent).toMatchObject({ id, status: 'succeeded', amountReceivedCents: 12_500, clientSecret })
    expect(error.message).toBe(`The payment intent ${id} is succeeded`)
    expect(JSON.stringify(error)).not.toContain(clientSecret)
  })

  test('an unknown intent is not found', async () => {
    expect(await failureOf(gateway.cancelIntent('pi_none'))).toBeInstanceOf(IntentNotFound)
  })
})

describe('refundInFull', () => {
  test('gives everything back once, however often it is asked', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    const refund = await gateway.refundInFull(id, 1)
    expect(refund).toEqual({
      id: expect.stringMatching(/^re_/),
      intentId: id,
      amountCents: 12_500,
      status: 'succeeded',
      failureReason: null,
    })
    expect(await gateway.refundInFull(id, 1)).toEqual(refund)
    await sql`truncate sandbox.idempotency_keys`.execute(t.database.db)
    expect(await gateway.refundInFull(id, 1)).toEqual(refund)
    expect((await t.stripe.refunds.list({ payment_intent: id })).data).toHaveLength(1)
  })

  test('is refused where nothing was paid', async () => {
    const { id } = await gateway.createIntent(ORDER)
    expect(await failureOf(gateway.refundInFull(id, 1))).toBeInstanceOf(ProviderRefused)
  })

  test('an unknown intent is not found', async () => {
    expect(await failureOf(gateway.refundInFull('pi_none', 1))).toBeInstanceOf(IntentNotFound)
  })
})

describe('readEvent', () => {
  test('names the intent of everything that belongs to one', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    await gateway.refundInFull(id, 1)
    for (const type of ['payment_intent.succeeded', 'charge.succeeded', 'refund.created']) {
      const { body, signature, event } = await t.inbox.first(type)
      expect(gateway.readEvent(body, signature)).toEqual({ id: event.id, type, intentId: id })
    }
  })

  test('an event about something else names none', () => {
    const payload = JSON.stringify({
      id: 'evt_1',
      type: 'customer.created',
      data: { object: { id: 'cus_1' } },
    })
    const { webhooks } = t.stripe
    const signature = webhooks.generateTestHeaderString({ payload, secret: TEST_KEYS.webhookSecret })
    const event = gateway.readEvent(Buffer.from(payload), signature)
    expect(event).toEqual({ id: 'evt_1', type: 'customer.created', intentId: null })
  })

  test('a forged, an old and an unsigned webhook are refused', async () => {
    await gateway.createIntent(ORDER)
    const { body, signature } = await t.inbox.first('payment_intent.created')
    const hourAgo = Math.floor(Date.now() / 1000) - 3600
    const old = t.stripe.webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret: TEST_KEYS.webhookSecret,
      timestamp: hourAgo,
    })
    expect(() => gateway.readEvent(Buffer.concat([body, Buffer.from(' ')]), signature)).toThrow(
      SignatureInvalid,
    )
    expect(() => gateway.readEvent(body, old)).toThrow(SignatureInvalid)
    expect(() => gateway.readEvent(body, undefined)).toThrow(SignatureInvalid)
    expect(() => gateway.readEvent(Buffer.alloc(0), signature)).toThrow(SignatureInvalid)
  })
})
