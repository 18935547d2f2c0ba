import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProduct } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'

/** The columns that make a product what it is, each with a value that the product of a test does not have. */
const telling = {
  name: "'Chain'",
  description: "'Gold.'",
  image: "'/pictures/chain.svg'",
  brand: "'Northwind'",
  kind: "'Chains'",
  category: "'Imported'",
  supplier: "'Chain Works'",
  sku: "'CH-520'",
  gtin: "'40170725'",
  price_cents: '100',
  minimum_quantity: '2',
  deleted_at: 'now()',
}
/** The others: what it is known by, its birth, and the stock, which has a ledger and a word of its own. */
const silent = ['id', 'created_at', 'stock']

let shop: TestShop
let listener: Client
const told: string[] = []

beforeAll(async () => {
  shop = await openTestShop()
  listener = new Client({ connectionString: shop.database.url })
  listener.on('notification', ({ payload = '' }) => told.push(payload))
  await listener.connect()
  await listener.query('listen changes')
})
afterAll(async () => {
  await listener.end()
  await shop.close()
})

/** Sets a column, and answers what was noted and told of it. */
async function set(column: string, value: string) {
  const id = await aProduct(shop)
  const entry = () =>
    shop.db
      .selectFrom('catalogue_entries')
      .select('changed_at')
      .where('product_id', '=', id)
      .executeTakeFirstOrThrow()
  const before = await entry()
  await listener.query('select 1')
  told.length = 0
  await sql.raw(`update products set ${column} = ${value} where id = '${id}'`).execute(shop.db)
  // A notification comes before the answer to what is asked after it.
  await listener.query('select 1')
  const { after } = await shop.db
    .selectFrom('product_changes')
    .select('after')
    .where('product_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return {
    noted: Object.keys(after),
    told: told.map((tags) => tags.replace(id, '…')),
    isFound: (await entry()).changed_at > before.changed_at,
  }
}

test('every column of products is one of these: a new one wants its place in the triggers, and here', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    shop.db,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...Object.keys(telling), ...silent].toSorted())
})

test.each(Object.entries(telling))(
  'a change of %s is noted in the audit, told to the pages and dated in the sitemap',
  async (column, value) => {
    expect(await set(column, value)).toEqual({
      noted: [column],
      told: ['product:… products'],
      isFound: true,
    })
  },
)

test('a sale that leaves enough is told as stock, and nothing else is done for it', async () => {
  const { noted, ...rest } = await set('stock', 'stock - 1')
  expect(rest).toEqual({ told: ['product:… stock'], isFound: false })
  expect(noted).toContain('name') // The row that says how it was added: there is no other.
  const { rows } = await sql<{ 'QUERY PLAN': [{ Triggers: { 'Trigger Name': string }[] }] }>`
    explain (analyze, format json) update products set stock = stock - 1`.execute(shop.db)
  expect(rows[0]?.['QUERY PLAN'][0].Triggers.map((trigger) => trigger['Trigger Name'])).toEqual([
    'tell_update',
  ])
})
