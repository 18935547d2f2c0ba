import { describe, expect, test } from 'vitest'
import { payingAs } from '../../../tests/checkout.ts'
import {
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  aStaffMember,
  payAtSandbox,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import { changeRole } from '../customers/staff/repository.ts'
import { expireUnpaidOrders } from '../payments/cancellation.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))

const { openedFor, toOrder } = payingAs(() => ({ shop, rider }))
const listEventsFor = (id: string) =>
  shop.db
    .selectFrom('order_events')
    .select(['kind', 'actor_id'])
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()

const olderThan = (hours: number, id: string) =>
  shop.db
    .updateTable('orders')
    .set({ placed_at: new Date(Date.now() - hours * 3_600_000 - 1000) })
    .where('id', '=', id)
    .execute()

describe('the history of an order', () => {
  test('lists each change in order, with the role of its actor', async () => {
    const admin = await anAdmin(shop)
    const productId = await aProduct(shop, { options: 'standard' })
    const orderId = await anOrder(shop, rider, { productId })
    await shop.call('setOrderOptions', { as: rider, params: { id: orderId }, body: { size: 'M' } })
    const { intentId } = await payAtSandbox(shop, await openedFor(orderId))
    await shop.call('payOrder', { as: rider, params: { id: orderId }, body: { transactionId: intentId } })
    await shop.call('updateShipping', { as: admin, params: { id: orderId }, body: { shipping: 'Shipped' } })
    await shop.call('updateShipping', { as: admin, params: { id: orderId }, body: { shipping: 'Shipped' } })
    const { history = [] } = await toOrder(orderId)
    expect(history.map(({ kind, by }) => `${kind} by ${by}`)).toEqual([
      'placed by customer',
      'options by customer',
      'paid by shop',
      'shipped by admin',
    ])
    expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted())
  })

  test('names the staff with the role that they had then, only for staff', async () => {
    const admin = await anAdmin(shop)
    const support = await aStaffMember(shop, 'support')
    const id = await anOrder(shop, rider)
    await shop.call('cancelOrder', { as: support, params: { id } })
    await changeRole(shop.db, support.id, 'packer', { granted_by: 'command' })
    const readHistory = async (as: TestCustomer) =>
      (await shop.call('getOrderDetails', { as, params: { id } })).body.history.map(
        ({ kind, by, email, name, staffRole }) => ({ kind, by, email, name, staffRole }),
      )
    expect(await readHistory(admin)).toEqual([
      { kind: 'placed', by: 'customer', email: rider.email },
      { kind: 'cancelled', by: 'admin', email: support.email, name: 'Robin Rider', staffRole: 'support' },
    ])
    expect(await readHistory(rider)).toEqual([
      { kind: 'placed', by: 'customer' },
      { kind: 'cancelled', by: 'admin' },
    ])
  })

  test('lists who cancelled the order, and the refund', async () => {
    const admin = await anAdmin(shop)
    const orderId = await anOrder(shop, rider)
    const secret = await openedFor(orderId)
    await shop.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', orderId).execute()
    await payAtSandbox(shop, secret)
    await expect.poll(() => listEventsFor(orderId)).toContainEqual({ kind: 'refunded', actor_id: null })

    const other = await anOrder(shop, rider)
    await shop.call('deleteOrder', { as: admin, query: { id: other } })
    expect(await listEventsFor(other)).toEqual([
      { kind: 'placed', actor_id: rider.id },
      { kind: 'cancelled', actor_id: admin.id },
    ])
  })
})

describe('an unpaid order', () => {
  test('expires and returns its stock after its time, not before', async () => {
    const productId = await aProduct(shop, { quantity: 10, price: 40 })
    const late = await anOrder(shop, rider, { productId, quantity: 3 })
    const young = await anOrder(shop, rider, { productId, quantity: 2 })
    await olderThan(72, late)
    await olderThan(71, young)
    await Promise.all([expireUnpaidOrders(shop.payments), expireUnpaidOrders(shop.payments)])
    expect(await readStock(shop, productId)).toBe(8)
    expect(await shop.call('getOrder', { as: rider, query: { id: late } })).toMatchObject(
      refused('ORDER_NOT_FOUND'),
    )
    expect(await listEventsFor(late)).toEqual([
      { kind: 'placed', actor_id: rider.id },
      { kind: 'expired', actor_id: null },
    ])
    expect(await toOrder(young)).toMatchObject({ payment: false })
  })

  // The job skips an order that a webhook has locked.
  test('is cancelled at the provider, so that it can no longer be paid', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      const secret = await openedFor(orderId)
      await olderThan(72, orderId)
      await expireUnpaidOrders(shop.payments)
      expect((await payAtSandbox(shop, secret)).body.error.code).toBe('payment_intent_unexpected_state')
    }))

  test('is settled instead if the provider has received the payment', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      await payAtSandbox(shop, await openedFor(orderId))
      await olderThan(72, orderId)
      await expireUnpaidOrders(shop.payments)
      expect(await toOrder(orderId)).toMatchObject({ payment: true })
    }))
})
