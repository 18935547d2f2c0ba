import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type OrderTab, orderTabs } from '../../../contract/order-status.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  anOrder,
  aPlacedCheckout,
  aProduct,
  payOrder,
} from '../../../tests/factories.ts'
import { refused, useCustomer, useTestShop } from '../../../tests/shop.ts'
import { saveShippingRate, saveTaxRate } from '../pricing/service.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop, { name: 'Jürgen Silva' }))

const list = async (query: Record<string, string | number>) =>
  (await shop.call('listWork', { as: admin, query })).body.map(({ _id }) => _id)
const count = async (query: Record<string, string> = {}) =>
  (await shop.call('countWork', { as: admin, query })).body
const ship = (id: string) =>
  shop.call('updateShipping', { as: admin, params: { id }, body: { shipping: 'Shipped' } })

/** Places an order for each tab; the last two are to ship, and the one that was paid first was placed last. */
async function makeOrders() {
  const orders = {
    unpaid: await anOrder(shop, rider),
    shipped: await anOrder(shop, rider),
    cancelled: await anOrder(shop, rider),
    refunded: await anOrder(shop, rider),
    paidLast: await anOrder(shop, rider),
    paidFirst: await anOrder(shop, rider),
  }
  for (const id of [orders.shipped, orders.refunded, orders.paidFirst, orders.paidLast])
    await payOrder(shop, { as: rider }, id)
  await ship(orders.shipped)
  await shop.call('deleteOrder', { as: rider, query: { id: orders.cancelled } })
  await shop.call('cancelOrder', { as: rider, params: { id: orders.refunded } })
  return orders
}

describe('GET /v1/orders', () => {
  test('lists the orders of each tab: to ship by payment, oldest first, all others newest first', async () => {
    const orders = await makeOrders()
    const expected: Record<OrderTab, string[]> = {
      'to-ship': [orders.paidFirst, orders.paidLast],
      unpaid: [orders.unpaid],
      shipped: [orders.shipped],
      cancelled: [orders.refunded, orders.cancelled],
      all: [orders.paidFirst, orders.paidLast, orders.refunded, orders.shipped, orders.unpaid],
    }
    for (const tab of orderTabs) expect(await list({ tab }), tab).toEqual(expected[tab])
    const specified = await shop.call('listOrders', { as: admin })
    expect(await list({})).toEqual(specified.body.map(({ _id }) => _id))
    expect(await list({ tab: 'to-ship', sort: '-date', pageSize: 1, page: 2 })).toEqual([orders.paidLast])
    expect(await count()).toMatchObject({ toShip: 2, unpaid: 1, shipped: 1, cancelled: 2, all: 5 })
  })

  test('keeps a partly shipped order to ship until its last piece is shipped or cancelled', async () => {
    const variants = [await aProduct(shop), await aProduct(shop)]
    const lines = variants.map((variantId) => ({ variantId, quantity: 1, unitPrice: 40 }))
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    await payOrder(shop, { as: rider }, id)
    const body = { lines: [1], trackingNumbers: [] }
    await shop.call('shipOrder', { as: admin, params: { id }, body })
    expect([await list({ tab: 'to-ship' }), await list({ tab: 'shipped' })]).toEqual([[id], []])
    await ship(id)
    expect([await list({ tab: 'to-ship' }), await list({ tab: 'shipped' })]).toEqual([[], [id]])
  })

  test('has the number, the name and the total of each order', async () => {
    const id = await anOrder(shop, rider)
    const { body, headers } = await shop.call('listWork', { as: admin })
    expect(body).toMatchObject([
      { _id: id, number: id.slice(0, 6), customerName: 'Jürgen Silva', amount: 40, tags: [] },
    ])
    expect(headers.get('x-total-count')).toBe('1')
    expect(headers.get('x-total-estimated')).toBeNull()
  })

  test('filters by time and words, and counts with the same filters', async () => {
    const old = await anOrder(shop, rider)
    await shop.db
      .updateTable('orders')
      .set({ placed_at: new Date('2026-03-01T10:00:00Z') })
      .execute()
    await anOrder(shop, await aCustomer(shop, { name: 'Uwe' }))
    const march = { from: '2026-03-01T00:00:00Z', to: '2026-03-01T10:00:01+00:00' }
    expect(await list(march)).toEqual([old])
    expect(await list({ ...march, to: '2026-03-01T10:00:00Z' })).toEqual([])
    expect(await list({ q: 'silva juergen' })).toEqual([old])
    expect(await count({ q: 'silva' })).toMatchObject({ unpaid: 1, all: 1, shipped: 0 })
    expect(await count(march)).toMatchObject({ unpaid: 1, all: 1 })
    const wrong: Record<string, string>[] = [
      { from: 'yesterday' },
      { from: '0000-01-01T00:00:00Z' },
      { tab: 'mine' },
      { tag: '#a b' },
    ]
    for (const query of wrong) {
      expect(await shop.call('listWork', { as: admin, query })).toMatchObject(refused('INVALID_REQUEST'))
    }
  })

  test('counts the orders that came into a tab after the list was read', async () => {
    const first = await anOrder(shop, rider)
    const { at: since, ...before } = await count()
    expect(before).not.toHaveProperty('newer')
    expect(await count({ since })).toMatchObject({ newer: 0 })
    await anOrder(shop, rider)
    await payOrder(shop, { as: rider }, first)
    expect(await count({ since })).toMatchObject({ newer: 1, all: 2 })
    expect(await count({ since, tab: 'to-ship' })).toMatchObject({ newer: 1, toShip: 1 })
    expect(await count({ since, tab: 'shipped' })).toMatchObject({ newer: 0 })
    await shop.call('cancelOrder', { as: rider, params: { id: first } })
    expect(await count({ since, tab: 'cancelled' })).toMatchObject({ newer: 1, cancelled: 1 })
  })
})

describe('GET /v1/order-lines.csv', () => {
  const columns =
    'order,number,placed_at,paid_at,shipped_at,status,name,email,country,region,postal_code,city,line,kind,part_number,product,size,colour,quantity,unit_price,total,tax,transaction_id'

  /** Downloads the file, and returns its rows without quotes. */
  async function download(query: Record<string, string> = {}, separator = ',') {
    const { body, status } = await shop.request<string>('GET', '/api/v1/order-lines.csv', {
      as: admin,
      query,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const [header, ...rows] = body.trimEnd().split('\n')
    return { header, rows: rows.map((row) => row.split(separator)) }
  }
  const cell = (row: string[], name: string) => row[columns.split(',').indexOf(name)] ?? ''

  test('has a row for each line and charge, which add up to the amount of the order', async () => {
    await saveShippingRate(shop.db, 'f1', { name: 'Standard', places: [], price: 5, position: 0 }, null)
    const tax = { place: 'US-IL', label: 'Sales tax', rate: 10, included: false, taxesShipping: false }
    await saveTaxRate(shop.db, 't1', tax, null)
    const variantId = await aProduct(shop, { sku: 'P-1', name: 'Pads' })
    const checkout = aCheckout([{ variantId, quantity: 3, unitPrice: 40 }], { total: 137 })
    const id = await aPlacedCheckout(shop, rider, checkout)
    const { header, rows } = await download()
    expect(header).toBe(columns)
    expect(rows.map((row) => row.slice(12, 22).join())).toEqual([
      '1,item,P-1,Pads,,,3,40.00,120.00,',
      '2,shipping,,Shipping (Standard),,,,,5.00,',
      '3,tax,,Sales tax 10%,,,,,12.00,12.00',
    ])
    expect(rows.map((row) => cell(row, 'order'))).toEqual([id, id, id])
    expect(rows.reduce((sum, row) => sum + Number(cell(row, 'total')), 0)).toBe(137)
    expect(rows[0]?.slice(5, 12)).toEqual([
      'unpaid',
      'Robin Rider',
      rider.email,
      'US',
      'IL',
      '62701',
      'Springfield',
    ])
  })

  test('has decimal commas, semicolons and a byte order mark for Excel', async () => {
    const variantId = await aProduct(shop, { sku: '00815', price: 12.5 })
    await aPlacedCheckout(shop, rider, aCheckout([{ variantId, quantity: 1, unitPrice: 12.5 }]))
    const response = await fetch(`${shop.config.origin}/api/v1/order-lines.csv?decimals=comma`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [header, row] = bytes.subarray(3).toString().split('\n')
    expect(header).toBe(columns.replaceAll(',', ';'))
    expect(row).toContain(';1;12,50;12,50;')
    // Excel would drop the zeros, or read the digits as numbers.
    expect(row).toContain(';"=""00815""";')
    expect(row).toContain(';"=""62701""";')
  })

  test('has an order id that Excel would read as a number as a text', async () => {
    const id = '1234567890123456789012e4'
    await anOrder(shop, rider)
    await shop.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await tx.updateTable('orders').set({ id }).execute()
      await tx.updateTable('order_lines').set({ order_id: id }).execute()
    })
    const { rows } = await download({ decimals: 'comma' }, ';')
    expect(rows.map(([order]) => order)).toEqual([`"=""${id}"""`])
  })

  test('has the orders of the filters, which may contain quotes', async () => {
    await makeOrders()
    expect((await download({ tab: 'to-ship' })).rows).toHaveLength(2)
    expect((await download({ tab: 'cancelled' })).rows).toHaveLength(2)
    expect((await download({ q: 'silva' })).rows).toHaveLength(5)
    // The digits may be a bar code.
    for (const q of [`x') to '/tmp/x'; --`, `$9 \\' $$`, `it's`, '2025-02-29'])
      expect((await download({ q })).rows).toEqual([])
  })

  test('that fails is an error in the one shape, not a file', async () => {
    await sql`alter table order_charges rename to other_charges`.execute(shop.db)
    const response = await fetch(`${shop.config.origin}/api/v1/order-lines.csv`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    await sql`alter table other_charges rename to order_charges`.execute(shop.db)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-disposition')).toBeNull()
    expect(await response.json()).toMatchObject({ code: 'INTERNAL' })
  })

  test('protects spreadsheets from formulas', async () => {
    const name = '=1+1'
    await anOrder(shop, await aCustomer(shop, { name }), {
      productId: await aProduct(shop, { name: '@SUM(A1)' }),
    })
    const { rows } = await download()
    expect(rows.map((row) => [cell(row, 'name'), cell(row, 'product')])).toEqual([["'=1+1", "'@SUM(A1)"]])
  })
})
