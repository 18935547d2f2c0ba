import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  aPaidOrder,
  aProduct,
  decideAtSandbox,
  payOrder,
  someAddress,
  type TestCustomer,
  untilDecided,
} from '../../../tests/factories.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { expectConsistent, refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { readStock } from '../../../tests/stock.ts'
import * as pricing from '../pricing/service.ts'
import { retryRefunds } from './jobs.ts'

const shop = useTestShop({ mail: 'mailbox' })
const rider = useCustomer(() => aCustomer(shop))
const admin = useCustomer(() => anAdmin(shop))
/** Brake pads for $40, 10 in stock. */
let pads: string

beforeEach(async () => {
  pads = await aProduct(shop)
})

interface Buyer {
  as?: TestCustomer
  headers?: Record<string, string>
}

const payForPads = (card?: string) => aPaidOrder(shop, rider, { productId: pads, quantity: 2, card })
const cancel = (id: string, buyer: Buyer = { as: rider }) =>
  shop.call('cancelOrder', { ...buyer, params: { id } })
const details = async (id: string, buyer: Buyer = { as: rider }) =>
  (await shop.call('getOrderDetails', { ...buyer, params: { id } })).body
const listRefunds = async () => (await shop.call('listRefunds', { as: admin })).body

describe('a paid order that its buyer cancels', () => {
  test('is refunded in full, with its stock, history and email', async () => {
    const id = await payForPads()
    expect(await readStock(shop, pads)).toBe(8)
    expect((await cancel(id)).body).toEqual({ cancelled: true, refunded: 80 })
    expect(await readStock(shop, pads)).toBe(10)
    const order = await details(id)
    expect(order.status).toBe('refunded')
    expect(order.history.map(({ kind, by }) => [kind, by])).toEqual([
      ['placed', 'customer'],
      ['paid', 'shop'],
      ['items_cancelled', 'customer'],
      ['refund_due', 'shop'],
      ['refunded', 'shop'],
    ])
    expect(await listRefunds()).toMatchObject([
      { orderId: id, amount: 80, kind: 'cancellation', reason: 'order cancelled', status: 'succeeded' },
    ])
    const emails = await sentEmails(shop.db, rider.email)
    expect(emails.map(({ subject }) => subject)).toContain(`Refund for order #${id.slice(0, 6)}`)
    expect(emails.map(({ body }) => body).join()).toContain('We refund $80.00 to your card.')
    await expectConsistent(shop.db)
  })

  test('is refunded once, however often it is cancelled at once', async () => {
    const id = await payForPads()
    const replies = await Promise.all(Array.from({ length: 5 }, () => untilDecided(() => cancel(id))))
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(replies.filter(({ body }) => body.cancelled)).toHaveLength(1)
    expect((await cancel(id)).body).toEqual({ cancelled: false })
    expect(await readStock(shop, pads)).toBe(10)
    await expectConsistent(shop.db)
  })

  test('is not cancelled if it is shipped at the same time, or the other way round', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await payForPads()
      const [cancelled, shipped] = await Promise.all([
        cancel(id),
        shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } }),
      ])
      const codes = [cancelled.body.code, shipped.body.code]
      expect([
        ['ORDER_ALREADY_SHIPPED', undefined],
        [undefined, 'ORDER_REFUNDED'],
      ]).toContainEqual(codes)
    }
    await expectConsistent(shop.db)
  })

  test('returns the charges and their tax, line by line, and releases the code', async () => {
    const tax = { place: 'US', label: 'Sales tax', rate: 8.875, included: false, taxesShipping: true }
    const rate = { name: 'Standard', places: [], price: 12.95, position: 0 }
    const code = { code: 'TORQUE10', kind: 'percent', rate: 10, maxUses: 1, oncePerBuyer: true } as const
    await pricing.saveTaxRate(shop.db, randomUUID(), tax, null)
    await pricing.saveShippingRate(shop.db, randomUUID(), rate, null)
    await pricing.saveCoupon(shop.db, randomUUID(), code, null)
    const lines = [
      { variantId: await aProduct(shop, { price: 129.9 }), quantity: 1, unitPrice: 129.9 },
      { variantId: await aProduct(shop, { price: 24.5 }), quantity: 2, unitPrice: 24.5 },
    ]
    const body = { ...aCheckout(lines), total: 189.4, coupon: 'TORQUE10', address: someAddress }
    const headers = { 'idempotency-key': randomUUID() }
    const { id } = (await shop.call('checkOut', { as: rider, headers, body })).body
    await payOrder(shop, { as: rider }, id)
    expect((await cancel(id)).body).toEqual({ cancelled: true, refunded: 189.4 })
    const returned = await shop.db
      .selectFrom('refund_lines')
      .select(['line_number', 'pieces', 'restocked', 'amount_cents', 'tax_cents'])
      .orderBy('line_number')
      .execute()
    expect(returned.map(Object.values)).toEqual([
      [0, 0, 0, 1410, 115],
      [1, 1, 1, 12_729, 1038],
      [2, 2, 2, 4801, 391],
    ])
    const again = await shop.call('checkOut', {
      as: rider,
      headers: { 'idempotency-key': randomUUID() },
      body,
    })
    expect(again.status).toBe(200)
    await expectConsistent(shop.db)
  })

  test('stays in the lists as paid, and is not shipped', async () => {
    const id = await payForPads()
    await cancel(id)
    const { body } = await shop.call('listOrders', { as: rider, query: { email: rider.email } })
    expect(body).toMatchObject([{ _id: id, status: 'refunded', payment: true, shipment: '' }])
    const ship = await shop.call('updateShipping', {
      as: admin,
      params: { id },
      body: { shipping: 'Shipped' },
    })
    expect(ship).toMatchObject(refused('ORDER_REFUNDED'))
    expect(await shop.call('deleteOrder', { as: rider, query: { id } })).toMatchObject(
      refused('ORDER_REFUNDED'),
    )
    expect(await shop.call('openOrderPayment', { as: rider, params: { id } })).toMatchObject(
      refused('ORDER_REFUNDED'),
    )
  })
})

test('a guest cancels a paid order with its key, and a stranger does not', async () => {
  const { id, headers } = await aGuestOrder(shop, { productId: pads })
  await payOrder(shop, { headers }, id)
  expect(await cancel(id, { as: rider })).toMatchObject(refused('ORDER_NOT_FOUND'))
  expect((await cancel(id, { headers })).body).toEqual({ cancelled: true, refunded: 40 })
  expect((await details(id, { headers })).history).toContainEqual(
    expect.objectContaining({ kind: 'items_cancelled', by: 'guest' }),
  )
  await expectConsistent(shop.db)
})

test('the specified call still refuses to delete a paid order', async () => {
  const id = await payForPads()
  expect(await shop.call('deleteOrder', { as: rider, query: { id } })).toMatchObject(
    refused('ORDER_ALREADY_PAID'),
  )
  expect((await details(id)).status).toBe('paid')
})

describe('a refund that is not final at first', () => {
  test('becomes final by the webhook of its result', async () => {
    const id = await payForPads('pm_card_pendingRefund')
    expect((await cancel(id)).body).toEqual({ cancelled: true, refunded: 80 })
    const [refund] = await listRefunds()
    expect(refund).toMatchObject({ status: 'pending' })
    await decideAtSandbox(shop, `refunds/${refund?.refundId}`)
    await expect.poll(listRefunds).toMatchObject([{ status: 'succeeded' }])
    await expectConsistent(shop.db)
  })

  test('is made again if it fails before its success was recorded', async () => {
    const id = await payForPads('pm_card_refundFail')
    await cancel(id)
    const [first] = await listRefunds()
    // As if the process was killed after the request.
    await shop.db
      .updateTable('refunds')
      .set({ status: 'due', provider_refund_id: null, next_attempt_at: new Date() })
      .execute()
    await decideAtSandbox(shop, `refunds/${first?.refundId}`)
    const isOther = async () => {
      await shop.db
        .updateTable('refunds')
        .set({ next_attempt_at: new Date(0) })
        .where('status', '<>', 'succeeded')
        .execute()
      await retryRefunds(shop.payments)
      const [{ status, refundId } = {}] = await listRefunds()
      return status === 'succeeded' && refundId !== first?.refundId
    }
    await expect.poll(isOther).toBe(true)
    await expectConsistent(shop.db)
  })

  test('is made again if it fails after its success', async () => {
    const id = await payForPads('pm_card_refundFail')
    await cancel(id)
    const [first] = await listRefunds()
    expect(first).toMatchObject({ status: 'succeeded' })
    await decideAtSandbox(shop, `refunds/${first?.refundId}`)
    await expect
      .poll(listRefunds)
      .toMatchObject([{ status: 'failed', failures: 1, nextAttemptAt: expect.any(String) }])
    await shop.db
      .updateTable('refunds')
      .set({ next_attempt_at: new Date(0) })
      .execute()
    await retryRefunds(shop.payments)
    expect(await listRefunds()).toMatchObject([{ status: 'succeeded', failures: 1 }])
    expect((await details(id)).history.map(({ kind }) => kind).slice(-3)).toEqual([
      'refunded',
      'refund_failed',
      'refunded',
    ])
    await expectConsistent(shop.db)
  })
})
