import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { TEST_KEYS, toFailure, useTestSandbox } from '../../../tests/payment-sandbox.ts'
import { ShopError } from '../../platform/errors.ts'
import { openStripeGateway, type PaymentGateway, ProviderRejected } from './stripe.ts'

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
      provider: 'stripe',
      id: expect.stringMatching(/^pi_/),
      clientData: { client_secret: expect.stringContaining(`${intent.id}_secret_`) },
      status: 'open',
      amountCents: 12_500,
      amountReceivedCents: 0,
      currency: 'usd',
      orderId: 'order-1',
    })
  })

  test('returns one intent for one attempt, and another for the next', async () => {
    const [first, same] = await Promise.all([gateway.createIntent(ORDER), gateway.createIntent(ORDER)])
    expect(same).toEqual(first)
    expect((await gateway.createIntent({ ...ORDER, attempt: 2 })).id).not.toBe(first.id)
  })

  test('is rejected if the amount of an attempt has changed', async () => {
    await gateway.createIntent(ORDER)
    const error = await toFailure(gateway.createIntent({ ...ORDER, amountCents: 1 + ORDER.amountCents }))
    expect(error).toBeInstanceOf(ProviderRejected)
  })
})

describe('findIntent', () => {
  test('returns the amount received', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    expect(await gateway.findIntent(id)).toMatchObject({
      status: 'succeeded',
      amountReceivedCents: 12_500,
      orderId: 'order-1',
    })
  })

  test('an intent without an order has none', async () => {
    const { id } = await t.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    expect(await gateway.findIntent(id)).toMatchObject({ orderId: null })
  })

  test.each(['pi_none', 'pi_1/refunds', '€', ''])('returns null for an unknown id: %s', async (id) => {
    expect(await gateway.findIntent(id)).toBeNull()
  })
})

describe('cancelIntent', () => {
  test('cancels, and returns the same when repeated', async () => {
    const { id } = await gateway.createIntent(ORDER)
    expect(await gateway.cancelIntent(id)).toMatchObject({ id, status: 'cancelled' })
    expect(await gateway.cancelIntent(id)).toMatchObject({ id, status: 'cancelled' })
  })

  test('returns a paid intent as it is', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    expect(await gateway.cancelIntent(id)).toMatchObject({
      id,
      status: 'succeeded',
      amountReceivedCents: 12_500,
    })
  })

  test('returns null for an unknown intent', async () => {
    expect(await gateway.cancelIntent('pi_none')).toBeNull()
  })
})

describe('refund', () => {
  const whole = (intentId: string) => ({
    intentId,
    amountCents: 12_500,
    key: 'refund-1',
    recordedIds: [] as string[],
  })
  const amounts = async (id: string) =>
    (await t.stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount)

  async function payOrder(): Promise<string> {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    return id
  }

  test('refunds once per key, even after the provider has forgotten its idempotency keys', async () => {
    const id = await payOrder()
    const refund = await gateway.refund(whole(id))
    expect(refund).toEqual({ id: expect.stringMatching(/^re_/), status: 'succeeded', failure: null })
    expect(await gateway.refund(whole(id))).toEqual(refund)
    await sql`truncate sandbox.idempotency_keys`.execute(t.database.db)
    expect(await gateway.refund(whole(id))).toEqual(refund)
    expect(await amounts(id)).toEqual([12_500])
  })

  test('refunds a part for each key', async () => {
    const id = await payOrder()
    const first = await gateway.refund({ ...whole(id), amountCents: 2_500, key: 'a' })
    const second = await gateway.refund({ ...whole(id), amountCents: 1_000, key: 'b' })
    await sql`truncate sandbox.idempotency_keys`.execute(t.database.db)
    expect(await gateway.refund({ ...whole(id), amountCents: 2_500, key: 'a' })).toEqual(first)
    expect(await gateway.refund({ ...whole(id), amountCents: 1_000, key: 'b' })).toEqual(second)
    expect(await amounts(id)).toEqual(expect.arrayContaining([1_000, 2_500]))
    expect(await amounts(id)).toHaveLength(2)
    expect(await toFailure(gateway.refund(whole(id)))).toBeInstanceOf(ProviderRejected)
  })

  test('is made again, however often it has failed before', async () => {
    const id = await payOrder()
    const fail = async () => {
      await sql`update sandbox.refunds set status = 'failed', failure_reason = 'declined'`.execute(
        t.database.db,
      )
      await sql`update sandbox.charges set amount_refunded_cents = 0`.execute(t.database.db)
    }
    const first = await gateway.refund(whole(id))
    await sql`insert into sandbox.refunds
      select (jsonb_populate_record(refunds, jsonb_build_object('id', refunds.id || number))).*
      from sandbox.refunds, generate_series(1, 99) as number`.execute(t.database.db)
    await fail()
    const second = await gateway.refund(whole(id))
    await fail()
    const third = await gateway.refund(whole(id))
    expect(new Set([first.id, second.id, third.id]).size).toBe(3)
    expect(await gateway.refund(whole(id))).toEqual(third)
    expect(await gateway.findRefund(whole(id))).toEqual(third)
  })

  test('returns the refund that an employee made in the dashboard', async () => {
    const id = await payOrder()
    const { id: madeByHand } = await t.stripe.refunds.create({ payment_intent: id })
    expect(await gateway.refund(whole(id))).toMatchObject({ id: madeByHand })
    // It may be another refund that the shop has recorded.
    expect(await toFailure(gateway.refund({ ...whole(id), recordedIds: [madeByHand] }))).toBeInstanceOf(
      ProviderRejected,
    )
  })

  test('does not take refunds of other amounts for its own', async () => {
    const id = await payOrder()
    await t.stripe.refunds.create({ payment_intent: id, amount: 2_500 })
    await t.stripe.refunds.create({ payment_intent: id, amount: 10_000 })
    expect(await toFailure(gateway.refund(whole(id)))).toBeInstanceOf(ProviderRejected)
  })

  test('is rejected if nothing was paid', async () => {
    const { id } = await gateway.createIntent(ORDER)
    expect(await toFailure(gateway.refund(whole(id)))).toBeInstanceOf(ProviderRejected)
  })

  test('is rejected for an unknown intent', async () => {
    expect(await toFailure(gateway.refund(whole('pi_none')))).toBeInstanceOf(ProviderRejected)
  })
})

describe('readEvent', () => {
  const read = (body: Buffer, signature: string | undefined) =>
    gateway.readEvent({ 'stripe-signature': signature }, body)
  const invalid = new ShopError('INVALID_SIGNATURE')

  test('names the intent of everything that belongs to one', async () => {
    const { id } = await gateway.createIntent(ORDER)
    await pay(id)
    await gateway.refund({ intentId: id, amountCents: 500, key: 'refund-1', recordedIds: [] })
    for (const type of ['payment_intent.succeeded', 'charge.succeeded', 'refund.created']) {
      const { body, signature } = await t.inbox.first(type)
      expect(read(body, signature)).toEqual({ intentId: id, isDecline: false })
    }
  })

  test('says that a card was declined, once per card', async () => {
    const { id: intentId } = await gateway.createIntent(ORDER)
    const declined = t.stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_chargeDeclined' })
    await toFailure(declined)
    for (const type of ['payment_intent.payment_failed', 'charge.failed']) {
      const { body, signature } = await t.inbox.first(type)
      expect(read(body, signature)).toEqual({ intentId, isDecline: type === 'payment_intent.payment_failed' })
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
    expect(read(Buffer.from(payload), signature)).toBeNull()
  })

  test('a forged, an old and an unsigned webhook are rejected', async () => {
    await gateway.createIntent(ORDER)
    const { body, signature } = await t.inbox.first('payment_intent.created')
    const hourAgo = Math.floor(Date.now() / 1000) - 3600
    const old = t.stripe.webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret: TEST_KEYS.webhookSecret,
      timestamp: hourAgo,
    })
    expect(() => read(Buffer.concat([body, Buffer.from(' ')]), signature)).toThrow(invalid)
    expect(() => read(body, old)).toThrow(invalid)
    expect(() => read(body, undefined)).toThrow(invalid)
    expect(() => read(Buffer.alloc(0), signature)).toThrow(invalid)
  })

  test.each([
    ['is in the future', (now: number) => `t=${now + 3600}`],
    ['is not a number', () => 't=soon'],
    ['is missing', () => ''],
    ['follows another one', (now: number) => `t=${now},t=soon`],
  ])('a signed webhook is rejected if its time %s', (_, write) => {
    const payload = JSON.stringify({
      id: 'evt_1',
      type: 'charge.succeeded',
      data: { object: { id: 'ch_1' } },
    })
    const time = write(Math.floor(Date.now() / 1000))
    // The SDK signs the last time as it has read it, and -1 without one.
    const seconds = time === '' ? -1 : Number.parseInt(time.slice(time.lastIndexOf('=') + 1), 10)
    const v1 = createHmac('sha256', TEST_KEYS.webhookSecret).update(`${seconds}.${payload}`).digest('hex')
    expect(() => read(Buffer.from(payload), [time, `v1=${v1}`].filter(Boolean).join(','))).toThrow(invalid)
  })
})
