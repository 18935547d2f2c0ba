import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editableColumns, type ProductSqlName, productColumns } from '../contract/product-columns.ts'
import { aProduct } from './factories.ts'
import { openTestShop, type TestShop } from './shop.ts'

/** Values that differ from the test product. */
const values: Record<ProductSqlName | 'deleted_at', string> = {
  sku: "'CH-520'",
  name: "'Chain'",
  brand: "'Northwind'",
  kind: "'Chains'",
  category: "'Imported'",
  price_cents: '100',
  stock: 'stock - 1',
  minimum_quantity: '2',
  description: "'Gold.'",
  image: "'/pictures/chain.svg'",
  supplier: "'Chain Works'",
  gtin: "'40170725'",
  deleted_at: 'now()',
}
const auditedColumns = [...editableColumns.map(({ sql }) => sql), 'deleted_at'] as const

let shop: TestShop

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())

/** Sets a column. Returns the audited columns, and whether the sitemap has a new date. */
async function setColumn(column: string, value: string) {
  const id = await aProduct(shop)
  const entry = () =>
    shop.db
      .selectFrom('sitemap_entries')
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
    audited: Object.keys(after),
    isInSitemap: (await entry()).changed_at > before.changed_at,
  }
}

test('product-columns.ts lists every column that an admin can change', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    shop.db,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...productColumns.map(({ sql }) => sql), 'id', 'created_at', 'deleted_at'].toSorted(),
  )
})

test.each(auditedColumns)('a change of %s is audited and updates the sitemap', async (column) => {
  expect(await setColumn(column, values[column])).toEqual({ audited: [column], isInSitemap: true })
})

test('a change of the stock and another column is audited without the stock', async () => {
  expect(await setColumn('stock', 'stock - 1, price_cents = 900')).toEqual({
    audited: ['price_cents'],
    isInSitemap: true,
  })
})

test('a new product is audited without derived columns and long texts', async () => {
  const id = await aProduct(shop)
  const { kind, before, after } = await shop.db
    .selectFrom('product_changes')
    .select(['kind', 'before', 'after'])
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  expect({ kind, before }).toEqual({ kind: 'added', before: {} })
  expect(Object.keys(after).toSorted()).toEqual(
    editableColumns.flatMap(({ sql }) => (sql === 'description' || sql === 'image' ? [] : [sql])).toSorted(),
  )
})

test('a sale that leaves enough stock runs no trigger', async () => {
  const { audited, isInSitemap } = await setColumn('stock', 'stock - 1')
  expect(isInSitemap).toBe(false)
  expect(audited).toContain('name') // The row of the insert: the update was not audited.
  const { rows } = await sql<{ 'QUERY PLAN': [{ Triggers: { 'Trigger Name': string }[] }] }>`
    explain (analyze, format json) update products set stock = stock - 1`.execute(shop.db)
  expect(rows[0]?.['QUERY PLAN'][0].Triggers.map((trigger) => trigger['Trigger Name'])).toEqual([])
})
