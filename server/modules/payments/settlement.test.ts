import { describe, expect, test } from 'vitest'
import { payingAs } from '../../../tests/checkout.ts'
import { aCustomer, anAdmin, anOrder, payAtSandbox } from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { cancel, confirm, listIntentsFor, open, openedFor, toOrder } = payingAs(() => ({ shop, rider }))

describe('POST /create-payment-intent', () => {
  test('opens one intent for an order and returns it to every tab', async () => {
    const orderId = await anOrder(shop, rider)
    const responses = await Promise.all(Array.from({ length: 6 }, () => open({ amount: 40, orderId })))
    expect(new Set(responses.map(({ body }) => body.client_secret)).size).toBe(1)
    expect(await listIntentsFor(orderId)).toMatchObject([{ attempt: 1, status: 'open', amount_cents: 4000 }])
  })

  test("charges the order's amount and rejects any other", async () => {
    const orderId = await anOrder(shop, rider)
    for (const amount of [39, 41, 0.01, -40, 1e300]) {
      expect(await open({ amount, orderId })).toMatchObject(refused('AMOUNT_MISMATCH'))
    }
    expect(await listIntentsFor(orderId)).toEqual([])
  })

  test('charges cents, and rejects fractions of a cent', async () => {
    const orderId = await anOrder(shop, rider, { quantity: 3, price: 12.9 })
    expect(await open({ amount: 38.704, orderId })).toMatchObject(refused('AMOUNT_MISMATCH'))
    expect(await open({ amount: 38.704 })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect((await open({ amount: 38.7 })).status).toBe(200)
    expect((await open({ amount: 3 * 12.9, orderId })).status).toBe(200)
    expect(await listIntentsFor(orderId)).toMatchObject([{ amount_cents: 3870 }])
  })

  test('without an order id, finds the newest unpaid order of exactly this amount', async () => {
    await anOrder(shop, rider)
    const newest = await anOrder(shop, rider)
    await anOrder(shop, rider, { price: 41 })
    await anOrder(shop, await aCustomer(shop))
    const { body } = await open({ amount: 40 })
    expect((await listIntentsFor(newest))[0]?.intent_id).toBe(body.client_secret.split('_secret_')[0])
    expect(await open({ amount: 39 })).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await open({ amount: 1e300 })).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test("does not find another's order, not even for an admin", async () => {
    const orderId = await anOrder(shop, rider)
    expect(await open({ amount: 40, orderId }, await aCustomer(shop))).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect(await open({ amount: 40, orderId }, await anAdmin(shop))).toMatchObject(refused('ORDER_NOT_FOUND'))
    expect(await open({ amount: 40, orderId: 'none' })).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test('settles an order whose payment has succeeded unreported, and does not charge again', async () => {
    const orderId = await anOrder(shop, rider)
    await payAtSandbox(shop, await openedFor(orderId))
    expect(await open({ amount: 40, orderId })).toMatchObject(refused('ORDER_ALREADY_PAID'))
    expect(await toOrder(orderId)).toMatchObject({ payment: true })
  })

  test('opens a new intent if the provider no longer has the old one', async () => {
    const orderId = await anOrder(shop, rider)
    const first = await openedFor(orderId)
    await shop.db
      .updateTable('payments')
      .set({ intent_id: 'pi_unknown' })
      .where('order_id', '=', orderId)
      .execute()
    const second = await openedFor(orderId)
    expect(second).not.toBe(first)
    expect(await listIntentsFor(orderId)).toMatchObject([
      { status: 'cancelled' },
      { attempt: 2, status: 'open' },
    ])
  })
})

describe('PATCH /order-payment/{id}', () => {
  test('marks the order paid once the provider has the money', async () => {
    const orderId = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
    expect((await confirm(orderId, intentId)).status).toBe(200)
    expect(await toOrder(orderId)).toMatchObject({ payment: true, transactionId: intentId, shipment: '' })
    expect((await confirm(orderId, intentId)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
  })

  test('rejects an unpaid intent, a declined one and an invented one', async () => {
    const orderId = await anOrder(shop, rider)
    const secret = await openedFor(orderId)
    const intentId = secret.split('_secret_')[0] ?? ''
    expect(await confirm(orderId, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    const declined = await payAtSandbox(shop, secret, 'pm_card_chargeDeclined')
    expect(declined.body.error.message).toBe('Your card was declined.')
    expect(await confirm(orderId, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    for (const invented of ['pi_invented', 'pi_1/refunds', '€'.repeat(200), 'x'.repeat(200)]) {
      expect(await confirm(orderId, invented)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    }
    expect(await toOrder(orderId)).toMatchObject({ payment: false })
  })

  test('one payment pays one order', async () => {
    const paid = await anOrder(shop, rider)
    const unpaid = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(paid))
    expect(await confirm(unpaid, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    expect(await toOrder(unpaid)).toMatchObject({ payment: false })
  })

  test("does not find another's order", async () => {
    const orderId = await anOrder(shop, rider)
    expect(await confirm(orderId, 'pi_1', await aCustomer(shop))).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test('a paid order can be shipped once and never be cancelled', async () => {
    const admin = await anAdmin(shop)
    const orderId = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
    await confirm(orderId, intentId)
    expect(await cancel(orderId)).toMatchObject(refused('ORDER_ALREADY_PAID'))
    const ship = () =>
      shop.call('updateShipping', { as: admin, params: { id: orderId }, body: { shipping: 'Shipped' } })
    expect((await ship()).body).toMatchObject({ acknowledged: true, modifiedCount: 1 })
    expect((await ship()).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect(await toOrder(orderId)).toMatchObject({ payment: true, shipment: 'Shipped' })
    expect(await cancel(orderId)).toMatchObject(refused('ORDER_ALREADY_SHIPPED'))
    const late = await shop.call('setOrderOptions', {
      as: rider,
      params: { id: orderId },
      body: { size: 'M' },
    })
    expect(late).toMatchObject(refused('ORDER_ALREADY_SHIPPED'))
  })
})

describe("the provider's webhook", () => {
  test('settles an order whose browser was closed', async () => {
    const orderId = await anOrder(shop, rider)
    await payAtSandbox(shop, await openedFor(orderId))
    await expect.poll(() => toOrder(orderId)).toMatchObject({ payment: true })
  })

  test('is rejected without the signature of the provider', async () => {
    const event = {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      data: { object: { object: 'payment_intent', id: 'pi_1' } },
    }
    const attempts: Record<string, string>[] = [{}, { 'stripe-signature': 't=1,v1=00' }]
    for (const headers of attempts) {
      const response = await shop.request('POST', '/api/v1/payments/webhook', { body: event, headers })
      expect(response).toMatchObject(refused('INVALID_SIGNATURE'))
    }
  })
})
