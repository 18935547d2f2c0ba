import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db/schema.ts'
import * as catalog from '../server/modules/catalog/service.ts'
import * as customers from '../server/modules/customers/service.ts'
import * as orders from '../server/modules/orders/service.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'

const length = 10_000
/** Occurs in one product name and one customer email. */
const word = 'n4711'
const description = 'Two or three useful sentences. '.repeat(10)
let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 1 })
  await fill(database.db)
})
afterAll(() => database.close())

/** Adds N products, customers and orders, each with a unique text. */
async function fill(db: Kysely<Database>): Promise<void> {
  const numbers = sql`generate_series(1, ${length}::integer) as n`
  await sql`
    insert into products (id, name, description, image, supplier, minimum_quantity, stock, price_cents)
    select 'p' || n, 'Chain n' || n || ' with clip link', ${description}, '', 'Link & Sons', 1, 10, 100 from ${numbers}`.execute(
    db,
  )
  await sql`
    insert into customers (id, email, name)
    select 'c' || n, 'n' || n || '@example.com', 'Rider ' || md5(n::text) from ${numbers}`.execute(db)
  await sql`
    insert into orders (id, customer_id, status, amount_cents, pieces, line_count, customer_email, customer_name,
      customer_phone, shipping_address, placed_at)
    select md5('order' || n), customers.id, 'unpaid', n, 1, 1, email, name, '', '14 Kickstand Lane',
      now() - n * interval '1 minute'
    from ${numbers} join customers on customers.id = 'c' || n`.execute(db)
  await sql`
    insert into order_lines (order_id, line_number, product_id, variant_id, product_name, product_image, sku,
      unit_price_cents, quantity)
    select md5('order' || n), 1, products.id, products.id, name, '', 'SKU-' || n || '-A', 100, 1
    from ${numbers} join products on products.id = 'p' || n`.execute(db)
  while ((await orders.indexEarlierOrders(db)) === 0);
  await sql`vacuum analyze products, variants, customers, orders, order_lines, order_documents`.execute(db)
}

/** Returns the number of rows read by sequential scans. */
function countSequentialRows(read: (db: Kysely<Database>) => Promise<unknown>): Promise<number> {
  return database.db.transaction().execute(async (tx) => {
    const before = await sequentialRows(tx)
    await read(tx)
    return (await sequentialRows(tx)) - before
  })
}

async function sequentialRows(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read)::bigint as count from pg_stat_xact_user_tables`.execute(db)
  return rows[0]?.count ?? 0
}

const page = { page: 1, pageSize: 20 }
const listForStaff = (db: Kysely<Database>, q: string) =>
  orders.listOrders(db, { ...page, q }, { forStaff: true })

test.each([
  ['products by name', (db, q) => catalog.listProducts(db, { ...page, q })],
  ['users by email or name', (db, q) => customers.listCustomers(db, { ...page, q })],
  ['orders by product or customer', (db, q) => listForStaff(db, q)],
  ['orders by part number', (db) => listForStaff(db, 'sku-4711-a')],
] satisfies [string, (db: Kysely<Database>, q: string) => Promise<{ total: number }>][])(
  'a search in 10,000 %s uses an index',
  async (_name, search) => {
    expect((await search(database.db, word)).total).toBe(1)
    expect(await countSequentialRows((db) => search(db, word))).toBe(0)
  },
)

test.each([
  ['products', (db) => catalog.listProducts(db, page)],
  ['products by name', (db) => catalog.listProducts(db, { ...page, sort: 'name' })],
  ['users', (db) => customers.listCustomers(db, page)],
  ['users by name', (db) => customers.listCustomers(db, { ...page, sort: '-name' })],
  ['orders', (db) => orders.listOrders(db, page)],
  ['orders by date', (db) => orders.listOrders(db, { ...page, sort: 'date' })],
  ['orders by amount', (db) => orders.listOrders(db, { ...page, sort: '-amount' })],
  ['orders by product', (db) => orders.listOrders(db, { ...page, sort: 'productName' })],
] satisfies [string, (db: Kysely<Database>) => Promise<unknown>][])(
  'a page of 10,000 %s is sorted by an index, and the table is scanned only for the total',
  async (_name, list) => {
    expect(await countSequentialRows(list)).toBeLessThanOrEqual(length)
  },
)

test('an order of 10,000 is found by its number with an index', async () => {
  const { rows } = await orders.listOrders(database.db, page)
  const q = `#${rows[7]?.id.slice(0, 12)}`
  expect((await listForStaff(database.db, q)).rows.map(({ id }) => id)).toEqual([rows[7]?.id])
  expect(await countSequentialRows((db) => listForStaff(db, q))).toBe(0)
})
