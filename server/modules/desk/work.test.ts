import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aProduct,
  payOrder,
  someJacket,
  type TestCustomer,
} from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'

let shop: TestShop
let rider: TestCustomer
let admin: TestCustomer

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
  admin = await anAdmin(shop)
})

const readToday = async () => (await shop.call('getToday', { as: admin })).body
const scan = async (code: string) => (await shop.call('scan', { as: admin, query: { code } })).body
async function aPaidOrder(): Promise<string> {
  const id = await anOrder(shop, rider)
  await payOrder(shop, { as: rider }, id)
  return id
}

describe('GET /v1/today', () => {
  test('is all zeros in a new shop', async () => {
    expect(await readToday()).toEqual({
      toShip: 0,
      unpaid: 0,
      newOrders: 0,
      failedRefunds: 0,
      failedEmails: 0,
      imports: [],
      returns: 0,
      withdrawals: 0,
    })
  })

  test('counts the orders to ship with the oldest one, the unpaid ones, and the new ones', async () => {
    const [first, second] = [await aPaidOrder(), await aPaidOrder()]
    const paidAt = new Date('2026-11-01T08:00:00Z')
    await shop.db
      .updateTable('orders')
      .set({ paid_at: paidAt, placed_at: paidAt })
      .where('id', '=', first)
      .execute()
    await shop.call('shipOrder', { as: admin, params: { id: second }, body: {} })
    await anOrder(shop, rider)
    const cancelled = await anOrder(shop, rider)
    await shop.call('cancelOrder', { as: rider, params: { id: cancelled } })
    expect(await readToday()).toMatchObject({
      toShip: 1,
      oldestToShip: paidAt.toISOString(),
      unpaid: 1,
      newOrders: 2,
    })
  })

  test('counts what has failed, what came back, and what is in progress', async () => {
    const orderId = await aPaidOrder()
    const refund = { id: 'r1', provider: 'stripe', intent_id: 'pi_1', order_id: orderId, amount_cents: 1 }
    await shop.db
      .insertInto('refunds')
      .values({ ...refund, reason: '', status: 'failed', next_attempt_at: new Date() })
      .execute()
    const email = { id: 'm1', kind: 'order-received', email: rider.email, subject: orderId } as const
    await shop.db
      .insertInto('mail_outbox')
      .values([
        { ...email, expires_at: new Date(), failed_at: new Date() },
        { ...email, id: 'm2', kind: 'order-refunded', expires_at: new Date() },
      ])
      .execute()
    const typed = { order_number: 'a1b2c3', email: 'ada@example.com', name: 'Ada' }
    await shop.db
      .insertInto('returns')
      .values([
        { ...typed, id: 't1', is_withdrawal: true },
        { ...typed, id: 't2', is_withdrawal: false, order_id: orderId },
        { ...typed, id: 't3', is_withdrawal: false, order_id: orderId, status: 'closed' },
      ])
      .execute()
    await shop.db
      .insertInto('product_imports')
      .values([
        { id: 'i1', file_name: 'prices.csv', state: 'importing', rows: 400, done: 100 },
        { id: 'i2', file_name: 'old.csv', state: 'done' },
        { id: 'i3', file_name: 'wrong.csv', state: 'checked', error_count: 1 },
      ])
      .execute()
    expect(await readToday()).toMatchObject({
      failedRefunds: 1,
      failedEmails: 1,
      imports: [{ id: 'i1', kind: 'products', fileName: 'prices.csv', state: 'importing', progress: 0.25 }],
      returns: 1,
      withdrawals: 1,
    })
  })
})

describe('GET /v1/scan', () => {
  test('finds an order by the code of its slip, its number or its id, in any state', async () => {
    const { id } = await aGuestOrder(shop)
    const found = [{ id, number: id.slice(0, 6), status: 'unpaid' }]
    for (const code of [id.slice(0, 16), id, id.slice(0, 6), `#${id.slice(0, 6).toUpperCase()}`])
      expect(await scan(code)).toEqual({ orders: found, variants: [] })
    for (const code of [id.slice(0, 5), `${id}0`, 'g'.repeat(16), 'none'])
      expect((await scan(code)).orders).toEqual([])
  })

  test('finds an item by GTIN in any length, or by part number in any spelling', async () => {
    const { variants } = someJacket
    const productId = await aProduct(shop, { ...someJacket, options: undefined })
    await shop.db.updateTable('variants').set({ shelf: 'J-1' }).where('sku', '=', 'J-M-BL').execute()
    const found = {
      productId,
      name: 'Touring jacket',
      size: 'M',
      colour: 'Blue',
      sku: 'J-M-BL',
      gtin: variants[0]?.gtin,
      shelf: 'J-1',
      stock: 8,
    }
    for (const code of ['4006381333931', '04006381333931', 'j-m-bl', 'J M BL'])
      expect(await scan(code)).toMatchObject({ orders: [], variants: [found] })
    await shop.call('deleteProduct', { as: admin, query: { id: productId } })
    expect(await scan('4006381333931')).toEqual({ orders: [], variants: [] })
  })
})
