import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db/schema.ts'
import { addProduct, createPublicQueries } from '../server/modules/catalog/service.ts'
import { listOrders, lockOrder, placeOrder } from '../server/modules/orders/service.ts'
import { migrations } from '../server/open-database.ts'
import { createDatabase } from '../server/platform/database.ts'
import { migrate, migrateWithin } from '../server/platform/migrations.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { brokenRules } from './hardening/invariants.ts'

/** The last migration before variants, carts and orders of several lines. */
const baseline = '0001_baseline.sql'

const rider = { customerId: 'rider', ip: null }
const product = { description: 'Steel.', image: '/pictures/chain.svg', minimum: 1 }

let database: TestDatabase
let db: Kysely<Database>

beforeAll(async () => {
  database = await openTestDatabase()
  db = database.db
  await sql`drop schema public, identity, sandbox cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await db.transaction().execute((tx) => migrateWithin(tx, migrations, [baseline]))
  await fillShop()
  await migrate(database, migrations)
})
afterAll(() => database.close())

interface OldOrder {
  id: string
  productId: string
  quantity: number
  unitPriceCents: number
  size?: string
  colour?: string
}

/** Places an order by the statements of the version before variants. */
async function placeOldOrder(order: OldOrder): Promise<void> {
  const { id, productId, quantity, unitPriceCents, size = null, colour = null } = order
  await sql`
    with taken as (
      update products set stock = stock - ${quantity}::integer where id = ${productId} returning id, name, image
    ), placed as (
      insert into orders (id, customer_id, status, amount_cents, customer_email, customer_name, customer_phone,
        shipping_address, idempotency_key)
      values (${id}, 'rider', 'unpaid', ${quantity * unitPriceCents}, 'rider@example.com', 'Robin Rider', '', '1 Road', ${id})
    ), noted as (
      insert into order_events (order_id, kind, actor_id) values (${id}, 'placed', 'rider')
    ), line as (
      insert into order_lines (order_id, line_number, product_id, product_name, product_image, unit_price_cents, quantity,
        size, colour)
      select ${id}, 1, id, name, image, ${unitPriceCents}::integer, ${quantity}::integer, ${size}, ${colour} from taken
    )
    insert into stock_movements (product_id, kind, quantity, order_id, moved_by)
    values (${productId}, 'sale', ${-quantity}, ${id}, 'rider')`.execute(db)
}

async function payOldOrder(id: string): Promise<void> {
  await sql`
    with paid as (
      update orders set status = 'paid', paid_at = now(), payment_provider = 'stripe', transaction_id = 'pi_' || id
      where id = ${id} returning id, amount_cents
    ), noted as (
      insert into order_events (order_id, kind) values (${id}, 'paid')
    )
    insert into payments (provider, intent_id, order_id, attempt, amount_cents, currency, status)
    select 'stripe', 'pi_' || id, id, 1, amount_cents, 'usd', 'succeeded' from paid`.execute(db)
}

async function cancelOldOrder(id: string, kind: 'cancelled' | 'expired'): Promise<void> {
  await sql`
    with cancelled as (
      update orders set status = 'cancelled', cancelled_at = now() where id = ${id} returning id
    ), noted as (
      insert into order_events (order_id, kind) values (${id}, ${kind})
    ), released as (
      insert into stock_movements (product_id, kind, quantity, order_id)
      select product_id, 'release', quantity, order_id from order_lines where order_id = ${id}
      returning product_id, quantity
    )
    update products set stock = stock + released.quantity from released where products.id = released.product_id`.execute(
    db,
  )
}

/** Fills the database with what the version before variants wrote. */
async function fillShop(): Promise<void> {
  await sql`
    insert into customers (id, email, name) values ('rider', 'rider@example.com', 'Robin Rider')`.execute(db)
  await sql`
    insert into products (id, sku, name, brand, kind, category, price_cents, stock, minimum_quantity, description, image,
      supplier, gtin)
    values
      ('pads', 'TY-100', 'Brake pads', 'Grauwerk', 'Brake pads', 'Local', 4000, 10, 1, '', '', 'Link', '4006381333931'),
      ('chain', 'X 520', 'Chain', null, 'Chains', 'Imported', 99900, 2, 1, '', '', null, null),
      ('bolts', null, 'Bolts', null, null, null, 100, 500, 20, '', '', null, null),
      ('gone', 'TY-900', 'Old pads', 'Grauwerk', null, null, 2500, 6, 1, '', '', null, '40170725')`.execute(
    db,
  )
  await placeOldOrder({
    id: 'unpaid',
    productId: 'pads',
    quantity: 3,
    unitPriceCents: 4000,
    size: 'M',
    colour: 'Red',
  })
  await placeOldOrder({ id: 'paid', productId: 'chain', quantity: 2, unitPriceCents: 99900 })
  await payOldOrder('paid')
  await placeOldOrder({ id: 'shipped', productId: 'bolts', quantity: 40, unitPriceCents: 100, size: 'SM' })
  await payOldOrder('shipped')
  await sql`
    with shipped as (update orders set status = 'shipped', shipped_at = now() where id = 'shipped')
    insert into order_events (order_id, kind) values ('shipped', 'shipped')`.execute(db)
  await placeOldOrder({ id: 'cancelled', productId: 'pads', quantity: 1, unitPriceCents: 4000 })
  await cancelOldOrder('cancelled', 'cancelled')
  await placeOldOrder({ id: 'expired', productId: 'gone', quantity: 2, unitPriceCents: 2500 })
  await placeOldOrder({ id: 'open', productId: 'gone', quantity: 1, unitPriceCents: 2500 })
  await sql`update products set deleted_at = now() where id = 'gone'`.execute(db)
  await cancelOldOrder('expired', 'expired')
  // A part number that a deleted product has is free.
  await sql`
    insert into products (id, sku, name, price_cents, stock, minimum_quantity, description, image)
    values ('again', 'ty900', 'New pads', 3900, 1, 1, '', '')`.execute(db)
  await sql`update products set price_cents = 4200, name = 'Sintered pads' where id = 'pads'`.execute(db)
  await sql`
    with restocked as (update products set stock = stock + 5 where id = 'pads')
    insert into stock_movements (product_id, kind, quantity) values ('pads', 'restock', 5)`.execute(db)
  await sql`insert into role_changes (customer_id, role, granted_by) values ('rider', 'admin', 'command')`.execute(
    db,
  )
  await sql`insert into reviews (id, customer_id, name) values ('r1', 'rider', 'Robin Rider')`.execute(db)
  await sql`
    insert into mail_outbox (id, kind, email, subject, expires_at)
    values ('m1', 'order-expired', 'rider@example.com', 'expired', now() + interval '1 day')`.execute(db)
  await sql`
    insert into sandbox.mailbox (email, subject, body) values ('rider@example.com', 'Hello', 'Text')`.execute(
    db,
  )
}

const read = async (query: string) => (await sql.raw(query).execute(db)).rows

test('each product has one variant with its part number, GTIN and stock, which is removed if the product is deleted', async () => {
  const variants = await read(`
    select v.id, product_id = v.id as is_first, position, sku, sku_key, gtin, v.stock, removed_at is not null as removed,
      v.price_cents, v.size from variants v join products p on p.id = product_id order by v.id`)
  const variant = { is_first: true, position: 1, gtin: null, removed: false, price_cents: null, size: null }
  expect(variants).toEqual([
    { ...variant, id: 'again', sku: 'ty900', sku_key: 'TY900', stock: 1 },
    { ...variant, id: 'bolts', sku: null, sku_key: null, stock: 460 },
    { ...variant, id: 'chain', sku: 'X 520', sku_key: 'X520', stock: 0 },
    { ...variant, id: 'gone', sku: 'TY-900', sku_key: 'TY900', gtin: '40170725', stock: 5, removed: true },
    { ...variant, id: 'pads', sku: 'TY-100', sku_key: 'TY100', gtin: '4006381333931', stock: 12 },
  ])
})

test('products keep price and minimum, and those of deleted products count as out of stock', async () => {
  expect(
    await read('select id, options, price_cents, minimum_quantity, stock from products order by id'),
  ).toEqual([
    { id: 'again', options: 'standard', price_cents: 3900, minimum_quantity: 1, stock: 1 },
    { id: 'bolts', options: 'standard', price_cents: 100, minimum_quantity: 20, stock: 460 },
    { id: 'chain', options: 'standard', price_cents: 99900, minimum_quantity: 1, stock: 0 },
    { id: 'gone', options: 'standard', price_cents: 2500, minimum_quantity: 1, stock: 0 },
    { id: 'pads', options: 'standard', price_cents: 4200, minimum_quantity: 1, stock: 12 },
  ])
})

test('orders have their pieces and lines, and the variant, part number, size and colour of each line', async () => {
  const orders = await read(`
    select o.id, status, amount_cents, pieces, line_count, variant_id, sku, size, colour, options, customer_id
    from orders o join order_lines on order_id = o.id order by o.id`)
  const order = { line_count: 1, size: null, colour: null, options: 'standard', customer_id: 'rider' }
  const pads = { variant_id: 'pads', sku: 'TY-100' }
  const gone = { variant_id: 'gone', sku: 'TY-900' }
  const chain = { variant_id: 'chain', sku: 'X 520' }
  const bolts = { variant_id: 'bolts', sku: null, size: 'SM' }
  const red = { size: 'M', colour: 'Red' }
  expect(orders).toEqual([
    { ...order, id: 'cancelled', status: 'cancelled', amount_cents: 4000, pieces: 1, ...pads },
    { ...order, id: 'expired', status: 'cancelled', amount_cents: 5000, pieces: 2, ...gone },
    { ...order, id: 'open', status: 'unpaid', amount_cents: 2500, pieces: 1, ...gone },
    { ...order, id: 'paid', status: 'paid', amount_cents: 199_800, pieces: 2, ...chain },
    { ...order, id: 'shipped', status: 'shipped', amount_cents: 4000, pieces: 40, ...bolts },
    { ...order, id: 'unpaid', status: 'unpaid', amount_cents: 12_000, pieces: 3, ...pads, ...red },
  ])
})

test('history, audit, reviews and emails stay', async () => {
  expect(
    await read('select kind, count(*)::integer as rows from audit_changes group by kind order by kind'),
  ).toEqual([
    { kind: 'added', rows: 5 },
    { kind: 'admin_by_command', rows: 1 },
    { kind: 'cancelled', rows: 1 },
    { kind: 'count', rows: 5 },
    { kind: 'deleted', rows: 1 },
    { kind: 'edited', rows: 1 },
    { kind: 'expired', rows: 1 },
    { kind: 'paid', rows: 2 },
    { kind: 'placed', rows: 6 },
    { kind: 'release', rows: 2 },
    { kind: 'restock', rows: 1 },
    { kind: 'sale', rows: 6 },
    { kind: 'shipped', rows: 1 },
  ])
  expect(await read('select id from reviews')).toEqual([{ id: 'r1' }])
  expect(await read('select id, subject from mail_outbox')).toEqual([{ id: 'm1', subject: 'expired' }])
  expect(await read('select email, html, message_id from sandbox.mailbox')).toEqual([
    { email: 'rider@example.com', html: '', message_id: null },
  ])
})

test('search finds products and orders by part number, and only products that are not deleted', async () => {
  const find = async (q: string) => {
    const { products } = await createPublicQueries(db).products({ q })
    return products.map(({ _id }) => _id)
  }
  expect(await find('ty100')).toEqual(['pads'])
  expect(await find('X-520')).toEqual(['chain'])
  expect(await find('TY-900')).toEqual(['again'])
  const { rows } = await listOrders(db, { q: 'ty-900' })
  expect(rows.map(({ id }) => id)).toEqual(['open'])
})

test('the shop goes on: all rules hold, products are sold and added, and a part number in use is refused', async () => {
  expect(await brokenRules(db)).toEqual([])
  const order = { productId: 'pads', quantity: 12, amount: 12 * 42, customerAddress: '1 Road' }
  await placeOrder(db, rider, order, null)
  await expect(placeOrder(db, rider, order, null)).rejects.toMatchObject({ code: 'OUT_OF_STOCK' })
  const add = (sku: string) =>
    addProduct(db, { ...product, name: 'Chain', price: 12.5, quantity: 1, sku }, rider)
  await expect(add('x520')).rejects.toMatchObject({ code: 'SKU_TAKEN' })
  await add('X 530')
  expect(await brokenRules(db)).toEqual([])
})

test('a database that has applied the former version of a corrected file is accepted', async () => {
  const former = 'b68671c24f82dc5b05d2be5361ff5296aacb40f204cdc951508034f2ae929da4'
  const { numAffectedRows } =
    await sql`update migrations set checksum = ${former} where name = '20261122172000_variants.sql'`.execute(
      db,
    )
  expect(numAffectedRows).toBe(1n)
  expect(await migrate(database, migrations)).toEqual([])
})

test('a column that a newer version adds does not break a transaction of this one', async () => {
  // One connection, which has prepared the statement.
  const running = createDatabase(database.url, { poolSize: 1 })
  try {
    const lock = () => running.db.transaction().execute((tx) => lockOrder(tx, 'unpaid'))
    await lock()
    await sql`alter table orders add column next_version text`.execute(db)
    expect(await lock()).toMatchObject({ id: 'unpaid', status: 'unpaid' })
  } finally {
    await running.close()
  }
})
