import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProduct } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'

/** Audited columns, each with a value that differs from the test product. */
const auditedColumns = {
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
/** Columns without audit: the id, the creation time, and the stock, which has a ledger. */
const otherColumns = ['id', 'created_at', 'stock']

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** Sets a column. Returns the columns that the audit noted, and whether the sitemap has a new date. */
async function set(column: string, value: string) {
  const id = await aProduct(shop)
  const entry = () =>
    shop.db
      .selectFrom('catalogue_entries')
      .select('changed_at')
      .where('product_id', '=', id)
      .executeTakeFirstOrThrow()
  const before = await entry()
  await sql.raw(`update products set ${column} = ${value} where id = '${id}'`).execute(shop.db)
  const { after } = await shop.db
    .selectFrom('product_changes')
    .select('after')
    .where('product_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return {
    noted: Object.keys(after),
    isFound: (await entry()).changed_at > before.changed_at,
  }
}

test('every column of products is one of these: a new one wants its place in the triggers, and here', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    shop.db,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(auditedColumns), ...otherColumns].toSorted(),
  )
})

test.each(Object.entries(auditedColumns))(
  'a change of %s is noted in the audit and dated in the sitemap',
  async (column, value) => {
    expect(await set(column, value)).toEqual({
      noted: [column],
      isFound: true,
    })
  },
)

test('a sale that leaves enough stock runs no trigger', async () => {
  const { noted, ...rest } = await set('stock', 'stock - 1')
  expect(rest).toEqual({ isFound: false })
  expect(noted).toContain('name') // The row of the insert: the update was not audited.
  const { rows } = await sql<{ 'QUERY PLAN': [{ Triggers: { 'Trigger Name': string }[] }] }>`
    explain (analyze, format json) update products set stock = stock - 1`.execute(shop.db)
  expect(rows[0]?.['QUERY PLAN'][0].Triggers.map((trigger) => trigger['Trigger Name'])).toEqual([])
})
