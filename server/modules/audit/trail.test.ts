import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAuditTables } from '../../../tests/audit-tables.ts'
import { aCustomer, anAdmin, anOrder, aProduct } from '../../../tests/factories.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'

const shop = useTestShop({ trustedProxies: 1 })
const admin = useCustomer(() => anAdmin(shop))

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const chain = {
  name: 'Chain',
  price: 9,
  quantity: 3,
  minimum: 1,
  description: 'Long.',
  image: 'https://x.example/y.png',
}
const addChain = async () =>
  (await shop.call('addProduct', { as: admin, body: chain, ...from('192.0.2.7') })).body.insertedId
const listChangesFor = (id: string) =>
  shop.db.selectFrom('product_changes').selectAll().where('product_id', '=', id).orderBy('id').execute()

describe('every price of a product is recorded from the start', () => {
  test('adding and deleting a product record the actor and the IP', async () => {
    const id = await addChain()
    await shop.call('deleteProduct', { as: admin, query: { id }, ...from('2001:db8::1') })
    expect(await listChangesFor(id)).toMatchObject([
      {
        kind: 'added',
        before: {},
        after: { name: 'Chain', price_cents: 900 },
        actor_id: admin.id,
        client_ip: '192.0.2.7',
      },
      { kind: 'deleted', before: { deleted_at: null }, actor_id: admin.id, client_ip: '2001:db8::1' },
    ])
  })

  test('a change by SQL is recorded with old and new values, without an actor', async () => {
    const id = await addChain()
    await shop.db
      .updateTable('products')
      .set({ price_cents: 1100, stock: 2, name: 'Chain' })
      .where('id', '=', id)
      .execute()
    expect((await listChangesFor(id)).slice(1)).toMatchObject([
      {
        kind: 'edited',
        before: { price_cents: 900 },
        after: { price_cents: 1100 },
        actor_id: null,
        client_ip: null,
      },
    ])
  })

  test('a change of stock is recorded only in the stock ledger, with the IP', async () => {
    const id = await addChain()
    await shop.call('updateProduct', {
      as: admin,
      params: { id },
      body: { quantity: 0, delta: 4 },
      ...from('192.0.2.8'),
    })
    await shop.call('updateProduct', { as: admin, params: { id }, body: { quantity: 5 }, ...from('unknown') })
    expect(await listChangesFor(id)).toHaveLength(1)
    const rows = await shop.db.selectFrom('stock_movements').selectAll().orderBy('id').execute()
    expect(rows.map(({ kind, quantity, client_ip }) => [kind, quantity, client_ip])).toEqual([
      ['count', 3, '192.0.2.7'],
      ['restock', 4, '192.0.2.8'],
      ['count', -2, null],
    ])
  })

  test('a product that the shop adds has no actor', async () => {
    expect(await listChangesFor(await aProduct(shop))).toMatchObject([
      { kind: 'added', actor_id: null, client_ip: null },
    ])
  })
})

describe('orders and roles', () => {
  test('each event of an order records the actor and the IP; an event of the shop has no IP', async () => {
    const rider = await aCustomer(shop)
    const productId = await aProduct(shop, { options: 'standard' })
    const id = await anOrder(shop, rider, { productId })
    await shop.call('setOrderOptions', {
      as: rider,
      params: { id },
      body: { size: 'M' },
      ...from('192.0.2.9'),
    })
    await shop.call('deleteOrder', { as: admin, query: { id }, ...from('192.0.2.10') })
    const events = await shop.db.selectFrom('order_events').selectAll().orderBy('id').execute()
    expect(events.map(({ kind, actor_id, client_ip }) => [kind, actor_id, client_ip])).toEqual([
      ['placed', rider.id, '127.0.0.1'],
      ['options', rider.id, '192.0.2.9'],
      ['cancelled', admin.id, '192.0.2.10'],
    ])
    const released = await shop.db
      .selectFrom('stock_movements')
      .selectAll()
      .where('kind', '=', 'release')
      .execute()
    expect(released).toMatchObject([{ moved_by: admin.id, client_ip: '192.0.2.10' }])
  })

  test('making an admin records the actor and the IP', async () => {
    const rider = await aCustomer(shop)
    await shop.call('makeAdmin', {
      as: admin,
      params: { email: rider.email },
      body: { role: 'admin' },
      ...from('192.0.2.11'),
    })
    expect(await shop.db.selectFrom('role_changes').selectAll().orderBy('id').execute()).toMatchObject([
      { customer_id: admin.id, changed_by: null, granted_by: 'command', client_ip: null },
      { customer_id: rider.id, changed_by: admin.id, granted_by: null, client_ip: '192.0.2.11' },
    ])
    const { body } = await shop.call('listAudit', { as: admin, query: { area: 'roles' } })
    expect(body.entries).toMatchObject([
      { kind: 'admin', by: { email: admin.email } },
      { kind: 'admin_by_command' },
    ])
    expect(body.entries[1]).not.toHaveProperty('by')
  })
})

test("rows of each append-only table can't be updated, deleted or truncated", async () => {
  const tables = await listAuditTables(shop.db)
  expect(tables).toEqual(expect.arrayContaining(['changes', 'stock_movements']))
  for (const table of tables) {
    const { rows } = await sql<{ column: string }>`select attname as column from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and attidentity = '' limit 1`.execute(shop.db)
    const column = sql.ref(rows[0]?.column ?? '')
    const changes = [
      sql`delete from ${sql.table(table)}`,
      sql`update ${sql.table(table)} set ${column} = ${column}`,
      sql`truncate ${sql.table(table)}`,
    ]
    for (const change of changes) {
      await expect(change.execute(shop.db), table).rejects.toThrow(`rows of ${table} cannot be changed`)
    }
  }
})
