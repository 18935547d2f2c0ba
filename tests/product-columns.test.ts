import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editableColumns, type ProductSqlName, productColumns } from '../contract/product-columns.ts'
import { aProduct } from './factories.ts'
import { openOwnShop, type TestShop } from './shop.ts'

/** Columns that the fitments of a product are saved with. */
const fitColumns = ['fit_kind', 'fit_complete', 'replaced_by'] as const
/** Columns that are derived from other tables. */
const derivedColumns = ['fits', 'fits_some', 'certificate_values']
/** Values that differ from the test product. */
const values: Record<
  ProductSqlName | (typeof fitColumns)[number] | 'attributes' | 'deleted_at' | 'hidden',
  string
> = {
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
  return_note: "'No returns.'",
  gtin: "'40170725'",
  attributes: `'{"Links": 118}'`,
  fit_kind: "'gear'",
  fit_complete: 'true',
  replaced_by: '(select min(other.id) from products as other where other.id <> products.id)',
  deleted_at: 'now()',
  hidden: 'true',
}
const auditedColumns = [
  ...editableColumns.map(({ sql }) => sql),
  ...fitColumns,
  'attributes',
  'deleted_at',
  'hidden',
] as const
const variantColumns = productColumns.flatMap((column) =>
  'isOfVariant' in column ? [column.sql as string] : [],
)
const toTable = (column: string) => (variantColumns.includes(column) ? 'variants' : 'products')

let shop: TestShop

beforeAll(async () => {
  shop = await openOwnShop()
})
afterAll(() => shop.close())

/** Sets a column. Returns the audited columns, and whether the sitemap has a new date. */
async function setColumn(column: string, value: string) {
  const id = await aProduct(shop)
  // Far in the past: the two changes can be within one millisecond, the resolution of a Date.
  const before = new Date('2026-01-01T00:00:00Z')
  await shop.db
    .updateTable('sitemap_entries')
    .set({ changed_at: before })
    .where('product_id', '=', id)
    .execute()
  await sql.raw(`update ${toTable(column)} set ${column} = ${value} where id = '${id}'`).execute(shop.db)
  const { after } = await shop.db
    .selectFrom('product_changes')
    .select('after')
    .where('product_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const entry = await shop.db
    .selectFrom('sitemap_entries')
    .select('changed_at')
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  return { audited: Object.keys(after), isInSitemap: entry.changed_at > before }
}

test('product-columns.ts lists every column that an admin can change', async () => {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'products'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    shop.db,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [
      ...productColumns.map(({ sql }) => sql).filter((column) => toTable(column) === 'products'),
      'id',
      'options',
      'created_at',
      'deleted_at',
      'hidden',
      ...fitColumns,
      'attributes',
      ...derivedColumns,
    ].toSorted(),
  )
})

test.each(auditedColumns)('a change of %s is audited and updates the sitemap', async (column) => {
  expect(await setColumn(column, values[column])).toEqual({ audited: [column], isInSitemap: true })
})

test.each([
  ['fits', "'{1}'"],
  ['certificate_values', "'{EN 17092 AA}'"],
])('a change of %s, which is derived, updates the sitemap and not the audit', async (column, value) => {
  const { audited, isInSitemap } = await setColumn(column, value)
  expect(isInSitemap).toBe(true)
  expect(audited).toContain('name')
})

test.each([
  ['products', ['id', 'stock']],
  ['variants', ['id', 'product_id', 'position', 'stock']],
])('the triggers of audit and sitemap name every column of %s but %j', async (table, others) => {
  const { rows } = await sql<{ trigger: string; column: string }>`
    select tgname as trigger, attname as column
    from pg_trigger join pg_attribute on attrelid = tgrelid and attnum = any(tgattr)
    where tgrelid = ${table}::regclass and tgname ~ '_(log|sitemap)_update$'`.execute(shop.db)
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    shop.db,
  )
  const named = columns.map(({ name }) => name).filter((name) => !others.includes(name))
  for (const trigger of ['log', 'sitemap']) {
    const own = rows.filter((row) => row.trigger === `${table}_${trigger}_update`)
    expect(own.map(({ column }) => column).toSorted()).toEqual(named.toSorted())
  }
})

test('a change of the stock and another column is audited without the stock', async () => {
  expect(await setColumn('stock', 'stock - 1, price_cents = 900')).toEqual({
    audited: ['price_cents'],
    isInSitemap: true,
  })
})

test('a new product is audited with its variant, without derived columns and long texts', async () => {
  const id = await aProduct(shop, { sku: 'P-1' })
  const { kind, before, after } = await shop.db
    .selectFrom('product_changes')
    .select(['kind', 'before', 'after'])
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  expect({ kind, before }).toEqual({ kind: 'added', before: {} })
  const own = editableColumns.map(({ sql }) => sql).filter((column) => toTable(column) === 'products')
  expect(Object.keys(after).toSorted()).toEqual(
    [
      ...own.filter((column) => column !== 'description' && column !== 'image'),
      'attributes',
      'options',
      'sku',
    ].toSorted(),
  )
})

test('a sale that leaves enough stock runs one trigger, which adds up the stock of its product', async () => {
  const id = await aProduct(shop)
  const listTriggers = async (update: string) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Triggers: { 'Trigger Name': string }[] }] }>`
      explain (analyze, format json) ${sql.raw(update)}`.execute(shop.db)
    return rows[0]?.['QUERY PLAN'][0].Triggers.map((trigger) => trigger['Trigger Name'])
  }
  expect(await listTriggers(`update variants set stock = stock - 1 where id = '${id}'`)).toEqual([
    'variants_stock_update',
  ])
  expect(await listTriggers(`update products set stock = stock - 1 where id = '${id}'`)).toEqual([])
})
