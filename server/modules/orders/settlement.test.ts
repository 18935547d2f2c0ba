import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  payAtSandbox,
  type TestCustomer,
} from '../../../tests/factories.ts'
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

const open = (body: object, as: TestCustomer = rider) => shop.call('createPaymentIntent', { as, body })
const confirm = (id: string, transactionId: string, as: TestCustomer = rider) =>
  shop.call('payOrder', { as, params: { id }, body: { transactionId } })
const orderOf = async (id: string) => (await shop.call('getOrder', { as: rider, query: { id } })).body

async function openedFor(orderId: string): Promise<string> {
  const { body } = await open({ amount: 40, orderId })
  expect(body.client_secret).toMatch(/^pi_\w+_secret_\w+$/)
  return body.client_secret
}

const intentsOf = async (orderId: string) =>
  shop.db.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('attempt').execute()

describe('POST /create-payment-intent', () => {
  test('needs a signed-in customer', async () => {
    expect(await shop.call('createPaymentIntent', { body: { amount: 40 } })).toMatchObject(
      refused('NOT_SIGNED_IN'),
    )
  })

  test('opens one intent for an order, and answers it again to every tab', async () => {
    const orderId = await anOrder(shop, rider)
    const answers = await Promise.all(Array.from({ length: 6 }, () => open({ amount: 40, orderId })))
    expect(new Set(answers.map(({ body }) => body.client_secret)).size).toBe(1)
    expect(await intentsOf(orderId)).toMatchObject([{ attempt: 1, status: 'open', amount_cents: 4000 }])
  })

  test("charges the order's amount: another one is refused", async () => {
    const orderId = await anOrder(shop, rider)
    for (const amount of [39, 41, 0.01, -40, 1e300]) {
      expect(await open({ amount, orderId })).toMatchObject(refused('AMOUNT_MISMATCH'))
    }
    expect(await intentsOf(orderId)).toEqual([])
  })

  test('binds an amount alone to the newest unpaid order of exactly that amount', async () => {
    await anOrder(shop, rider)
    const newest = await anOrder(shop, rider)
    await anOrder(shop, rider, { price: 41 })
    await anOrder(shop, await aCustomer(shop))
    const { body } = await open({ amount: 40 })
    expect((await intentsOf(newest))[0]?.intent_id).toBe(body.client_secret.split('_secret_')[0])
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

  test('settles an order whose money has arrived unnoticed, and refuses to charge again', async () => {
    const orderId = await anOrder(shop, rider)
    await payAtSandbox(shop, await openedFor(orderId))
    expect(await open({ amount: 40, orderId })).toMatchObject(refused('ORDER_ALREADY_PAID'))
    expect(await orderOf(orderId)).toMatchObject({ payment: true })
  })

  test('opens a new intent where the provider has cancelled the old one', async () => {
    const orderId = await anOrder(shop, rider)
    const first = await openedFor(orderId)
    await shop.db
      .updateTable('payments')
      .set({ intent_id: 'pi_unknown' })
      .where('order_id', '=', orderId)
      .execute()
    const second = await openedFor(orderId)
    expect(second).not.toBe(first)
    expect(await intentsOf(orderId)).toMatchObject([{ status: 'cancelled' }, { attempt: 2, status: 'open' }])
  })
})

describe('PATCH /order-payment/{id}', () => {
  test('needs a signed-in customer', async () => {
    expect(
      await shop.call('payOrder', { params: { id: 'x' }, body: { transactionId: 'pi_1' } }),
    ).toMatchObject(refused('NOT_SIGNED_IN'))
  })

  test('marks the order paid once the provider has the money', async () => {
    const orderId = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
    expect((await confirm(orderId, intentId)).status).toBe(200)
    expect(await orderOf(orderId)).toMatchObject({ payment: true, transactionId: intentId, shipment: '' })
    expect((await confirm(orderId, intentId)).body).toEqual({ acknowledged: true, modifiedCount: 0 })
  })

  test('believes no browser: not an unpaid intent, not a declined one, not an invented one', async () => {
    const orderId = await anOrder(shop, rider)
    const secret = await openedFor(orderId)
    const intentId = secret.split('_secret_')[0] ?? ''
    expect(await confirm(orderId, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    const declined = await payAtSandbox(shop, secret, 'pm_card_chargeDeclined')
    expect(declined.body.error.message).toBe('Your card was declined.')
    expect(await confirm(orderId, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    expect(await confirm(orderId, 'pi_invented')).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    expect(await orderOf(orderId)).toMatchObject({ payment: false })
  })

  test('one payment pays one order', async () => {
    const paid = await anOrder(shop, rider)
    const unpaid = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(paid))
    expect(await confirm(unpaid, intentId)).toMatchObject(refused('PAYMENT_NOT_CONFIRMED'))
    expect(await orderOf(unpaid)).toMatchObject({ payment: false })
  })

  test("does not find another's order", async () => {
    const orderId = await anOrder(shop, rider)
    expect(await confirm(orderId, 'pi_1', await aCustomer(shop))).toMatchObject(refused('ORDER_NOT_FOUND'))
  })

  test('then the order can be shipped once, and never be cancelled', async () => {
    const admin = await anAdmin(shop)
    const orderId = await anOrder(shop, rider)
    const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
    await confirm(orderId, intentId)
    expect(await shop.call('deleteOrder', { as: rider, query: { id: orderId } })).toMatchObject(
      refused('ORDER_ALREADY_PAID'),
    )
    const ship = () =>
      shop.call('updateShipping', { as: admin, params: { id: orderId }, body: { shipping: 'Shipped' } })
    expect((await ship()).body).toEqual({ acknowledged: true, modifiedCount: 1 })
    expect((await ship()).body).toEqual({ acknowledged: true, modifiedCount: 0 })
    expect(await orderOf(orderId)).toMatchObject({ payment: true, shipment: 'Shipped' })
    expect(await shop.call('deleteOrder', { as: rider, query: { id: orderId } })).toMatchObject(
      refused('ORDER_ALREADY_SHIPPED'),
    )
    const late = await shop.call('setOrderOptions', {
      as: rider,
      params: { id: orderId },
      body: { size: 'M' },
    })
    expect(late).toMatchObject(refused('ORDER_ALREADY_SHIPPED'))
  })
})

describe("the provider's webhook", () => {
  test('settles an order whose browser never came back', async () => {
    const orderId = await anOrder(shop, rider)
    await payAtSandbox(shop, await openedFor(orderId))
    await expect.poll(() => orderOf(orderId), { timeout: 10_000 }).toMatchObject({ payment: true })
  })

  test('is refused without the signature of the provider', async () => {
    const event = {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      data: { object: { object: 'payment_intent', id: 'pi_1' } },
    }
    const attempts: Record<string, string>[] = [{}, { 'stripe-signature': 't=1,v1=00' }]
    for (const headers of attempts) {
      const answer = await shop.request('POST', '/api/v1/payments/webhook', { body: event, headers })
      expect(answer).toMatchObject(refused('INVALID_SIGNATURE'))
    }
  })
})

describe('money and a cancellation that cross', () => {
  test('cancelling closes the payment at the provider: it can be paid no more', async () => {
    const orderId = await anOrder(shop, rider)
    const secret = await openedFor(orderId)
    expect((await shop.call('deleteOrder', { as: rider, query: { id: orderId } })).body.deletedCount).toBe(1)
    const late = await payAtSandbox(shop, secret)
    expect(late.body.error.code).toBe('payment_intent_unexpected_state')
    expect(await intentsOf(orderId)).toMatchObject([{ status: 'cancelled' }])
  })

  test('an order that was paid a moment ago is settled instead of cancelled', async () => {
    const productId = await aProduct(shop, { quantity: 5, price: 40 })
    const orderId = await anOrder(shop, rider, { productId })
    await payAtSandbox(shop, await openedFor(orderId))
    expect(await shop.call('deleteOrder', { as: rider, query: { id: orderId } })).toMatchObject(
      refused('ORDER_ALREADY_PAID'),
    )
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

  /** Money for an order by a payment that the shop has not opened, as when it was made at the provider's desk. */
  async function payAtDesk(orderId: string, amountCents = 4000): Promise<string> {
    const intent = await shop.payments.gateway.createIntent({ orderId, amountCents, attempt: 99 })
    return (await payAtSandbox(shop, intent.clientSecret)).intentId
  }

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
      const [payment, cancellation] = await Promise.all([
        payAtSandbox(shop, secret),
        shop.call('deleteOrder', { as: rider, query: { id: orderId } }),
      ])
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
})
