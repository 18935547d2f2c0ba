import { describe, expect, test } from 'vitest'
import {
  aCheckout,
  aCustomer,
  aGuestOrder,
  anAdmin,
  anOrder,
  aPlacedCheckout,
  aProduct,
} from '../../../tests/factories.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop()
const admin = useCustomer(() => anAdmin(shop))
const rider = useCustomer(() => aCustomer(shop))

const audit = async (query: Record<string, string | number> = {}) =>
  (await shop.call('listAudit', { as: admin, query })).body
const splitLines = async (query = {}) =>
  (await audit(query)).entries.map(({ area, kind, by, subject }) =>
    [area, kind, by ? by.role : 'shop', subject.name].join(' '),
  )
const refuse = async (query: Record<string, string>) =>
  (await shop.call('listAudit', { as: admin, query })).body

describe('GET /v1/audit', () => {
  test('lists changes of orders, stock, products and roles with their actor, newest first', async () => {
    const productId = await aProduct(shop, { name: 'Chain' })
    const orderId = await anOrder(shop, rider, { productId, quantity: 2 })
    await shop.call('deleteOrder', { as: admin, query: { id: orderId } })
    await shop.call('updateProduct', {
      as: admin,
      params: { id: productId },
      body: { quantity: 0, delta: 5 },
    })
    await shop.call('makeAdmin', { as: admin, params: { email: rider.email }, body: { role: 'admin' } })
    await shop.call('deleteProduct', { as: admin, query: { id: productId } })
    expect(await splitLines()).toEqual([
      'products deleted admin Chain',
      `roles admin admin ${rider.email}`,
      'stock restock admin Chain',
      'orders cancelled admin Chain',
      'stock release admin Chain',
      'orders placed customer Chain',
      'stock sale customer Chain',
      'stock count shop Chain',
      'products added shop Chain',
      `roles admin_by_command shop ${admin.email}`,
    ])
    const { entries, next } = await audit()
    expect(next).toBeUndefined()
    expect(entries[4]).toMatchObject({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      by: { email: admin.email, name: 'Robin Rider', role: 'admin', staffRole: 'owner' },
      ip: '127.0.0.1',
      pieces: 2,
      orderId,
      subject: { id: productId, deleted: true },
    })
    expect(entries[3]).toMatchObject({ subject: { id: orderId, deleted: true } })
    expect(entries[5]?.by).toEqual({ email: rider.email, role: 'customer' })
    expect(entries[9]?.changes).toEqual([{ field: 'role', after: 'owner' }])
    expect(entries[8]).not.toHaveProperty('ip')
  })

  test('lists the price before and after in dollars, and every other changed field', async () => {
    const id = await aProduct(shop, { price: 40 })
    await shop.db
      .updateTable('products')
      .set({ price_cents: 1250, minimum_quantity: 2, supplier: 'Link & Sons' })
      .where('id', '=', id)
      .execute()
    const { entries } = await audit({ area: 'products' })
    expect(entries[0]).toMatchObject({
      kind: 'edited',
      changes: [
        { field: 'price', before: '40', after: '12.50' },
        { field: 'minimum', before: '1', after: '2' },
        { field: 'supplier', after: 'Link & Sons' },
      ],
    })
    expect(entries[1]?.changes).toContainEqual({ field: 'price', after: '40' })
  })

  test('filters by area, actor, subject and time', async () => {
    const productId = await aProduct(shop, { name: 'Chain', sku: 'CH-520' })
    await aProduct(shop, { name: 'Sprocket', sku: 'CH-521' })
    const orderId = await anOrder(shop, rider, { productId })
    await shop.call('updateShipping', { as: admin, params: { id: orderId }, body: { shipping: 'Shipped' } })
    await shop.call('updateProduct', { as: admin, params: { id: productId }, body: { quantity: 3 } })

    expect(await splitLines({ area: 'roles' })).toEqual([`roles admin_by_command shop ${admin.email}`])
    expect(await splitLines({ by: ` ${admin.email.toUpperCase()} ` })).toEqual(['stock count admin Chain'])
    expect(await splitLines({ by: 'shop', area: 'products' })).toEqual([
      'products added shop Sprocket',
      'products added shop Chain',
    ])
    expect(await splitLines({ by: 'nobody@example.com' })).toEqual([])

    const purchaseChanges = ['orders placed customer Chain', 'stock sale customer Chain']
    for (const subject of [
      orderId,
      orderId.slice(0, 6),
      `#${orderId.slice(0, 6).toUpperCase()}`,
      rider.email,
    ]) {
      expect(await splitLines({ subject })).toEqual(purchaseChanges)
    }
    const history = await splitLines({ subject: productId })
    expect(history).toHaveLength(4)
    for (const subject of ['CH-520', 'ch 520']) expect(await splitLines({ subject })).toEqual(history)
    expect(await splitLines({ subject: 'CH-52' })).toEqual([])
    expect(await splitLines({ subject: admin.email })).toEqual([`roles admin_by_command shop ${admin.email}`])
    expect(await splitLines({ subject: orderId.slice(0, 5) })).toEqual([])

    const [, sale] = (await audit({ area: 'stock' })).entries
    const at = String(sale?.at)
    const later = new Date(Date.parse(at) + 1).toISOString()
    expect(await splitLines({ area: 'stock', from: later })).toEqual(['stock count admin Chain'])
    expect(await splitLines({ area: 'stock', to: at })).toEqual([
      'stock count shop Sprocket',
      'stock count shop Chain',
    ])
    expect(await splitLines({ area: 'stock', from: at, to: later })).toEqual(['stock sale customer Chain'])
  })

  test('names an order of several lines by its first, and each of its stock movements by its product', async () => {
    const products = [await aProduct(shop, { name: 'Chain' }), await aProduct(shop, { name: 'Sprocket' })]
    const lines = products.map((variantId) => ({ variantId, quantity: 1, unitPrice: 40 }))
    const id = await aPlacedCheckout(shop, rider, aCheckout(lines))
    expect((await splitLines({ subject: id })).toSorted()).toEqual([
      'orders placed customer Chain and 1 more',
      'stock sale customer Chain',
      'stock sale customer Sprocket',
    ])
  })

  test('lists what a guest did, with the email of the order, even after the order joins an account', async () => {
    const { id, email, headers } = await aGuestOrder(shop)
    await shop.call('cancelOrder', { params: { id }, headers })
    const own = [
      'orders cancelled guest Sintered brake pads',
      'stock release guest Sintered brake pads',
      'orders placed guest Sintered brake pads',
      'stock sale guest Sintered brake pads',
    ]
    await aGuestOrder(shop)
    expect(await splitLines({ subject: id })).toEqual(own)
    expect(await splitLines({ by: email.toUpperCase() })).toEqual(own)
    expect(await splitLines({ subject: email })).toEqual(own)
    expect((await audit({ subject: id })).entries[0]?.by).toEqual({ email, role: 'guest' })
    expect(await splitLines({ by: 'shop', area: 'orders' })).toEqual([])

    const later = await aCustomer(shop, { email })
    await shop.call('claimGuestOrders', { as: later })
    expect(await splitLines({ by: email })).toEqual(own)
    expect(await splitLines({ subject: email })).toEqual(own)
  })

  test('returns pages without duplicates or gaps, even for changes with equal timestamps', async () => {
    const productId = await aProduct(shop, { quantity: 500 })
    for (let round = 0; round < 4; round++) await anOrder(shop, rider, { productId })
    const { rows } = await shop.database.pool.query(`
      insert into stock_movements (variant_id, kind, quantity, created_at)
        select id, 'restock', n, '2026-05-01T10:00:00.123456Z' from products, generate_series(1, 5) n returning id`)
    await shop.database.pool.query(`
      insert into order_events (order_id, kind, occurred_at)
        select id, 'options', '2026-05-01T10:00:00.123456Z' from orders`)
    expect(rows).toHaveLength(5)
    const whole = (await audit({ pageSize: 200 })).entries.map(({ id }) => id)
    expect(whole).toHaveLength(20)
    for (const pageSize of [1, 3, 7]) {
      const found: string[] = []
      let after: string | undefined
      do {
        const page = await audit({ pageSize, ...(after && { after }) })
        found.push(...page.entries.map(({ id }) => id))
        after = page.next
        expect(page.entries.length).toBeLessThanOrEqual(pageSize)
      } while (after)
      expect(found).toEqual(whole)
    }
  })

  test('rejects an invalid time or cursor, and accepts any text as actor or subject', async () => {
    const malformed: Record<string, string>[] = [
      { from: 'yesterday' },
      { to: '2026-13-01' },
      { from: '0000-01-01T00:00:00Z' },
      { after: '1.2' },
      { after: 'x' },
      { after: `${'9'.repeat(16)}.0.1` },
      { area: 'all' },
    ]
    for (const query of malformed) expect(await refuse(query)).toMatchObject({ code: 'INVALID_REQUEST' })
    for (const subject of ["'; drop table orders", '%', '@', '🏍', 'x'.repeat(254)]) {
      expect(await audit({ subject, by: subject })).toEqual({ entries: [] })
    }
  })
})
