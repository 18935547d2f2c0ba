import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { AttributeValues } from '../../../../../contract/attributes.ts'
import { type ImportChange, maxListedChanges, type SkippedProduct } from '../../../../../contract/imports.ts'
import { toDollars } from '../../../../../contract/money.ts'
import type { ProductColumn } from '../../../../../contract/product-columns.ts'
import { pictureSeparator } from '../../../../../contract/product-pictures.ts'
import { toPlainDollars } from '../../../../../contract/typed-numbers.ts'
import type { Database } from '../../../../../db/schema.ts'
import { fileColumns, isIn, isShared, pictureRows, picturesColumn } from '../products/queries.ts'

/** The columns that can be restored. */
export const productNames = [
  ...fileColumns.filter((column) => isShared(column) && column !== picturesColumn).map(({ sql }) => sql),
  'options',
  'price_cents',
  'image',
  'attributes',
]
export const variantNames = [
  ...fileColumns.filter(({ isOfVariant }) => isOfVariant).map(({ sql }) => sql),
  'price_cents',
  'image',
]

/** Whether a row changes something. */
export const isRestored = sql<boolean>`(reverses or move <> 0 or restored <> '{}')`

/** A query of product ids: the undo changes them. */
export const restoredProducts = (importId: string): RawBuilder<unknown> =>
  sql`select product_id from undo_import_rows where import_id = ${importId} and ${isRestored}`

const toKey = (name: 'restored' | 'after') =>
  sql`upper(regexp_replace(${sql.ref(name)} ->> 'sku', '[^A-Za-z0-9]', '', 'g'))`

/** Queries the ids of products that exchange part numbers: one gets back a number that another one has until then. */
export const exchangingProducts = (importId: string): RawBuilder<unknown> => sql`
  select unnest(array[own.product_id, other.product_id])
  from (select product_id, ${toKey('restored')} as key from undo_import_rows
      where import_id = ${importId} and restored ? 'sku') as own
    join (select product_id, ${toKey('after')} as key from undo_import_rows
      where import_id = ${importId} and restored ? 'sku') as other using (key)
  where own.product_id <> other.product_id`

/** Counts the products that come back, that are deleted, and that change otherwise. */
export async function countEffect(
  db: Kysely<Database>,
  importId: string,
  batch?: number,
): Promise<{ added: number; changed: number; removed: number }> {
  const { rows } = await sql<{ added: number; changed: number; removed: number }>`
    with products as (
      select product_id, bool_or(reverses and variant_id is null and kind = 'deleted') as returns,
        bool_or(reverses and variant_id is null and kind = 'added') as goes
      from undo_import_rows as file where ${isIn(importId, batch)} and ${isRestored} group by product_id
    )
    select count(*) filter (where returns) as added, count(*) filter (where goes) as removed,
      count(*) filter (where not returns and not goes) as changed
    from products`.execute(db)
  return rows[0] ?? { added: 0, changed: 0, removed: 0 }
}

/** Lists the products that are left out, in whole or in part, of all batches, of one, or without a batch. */
export async function listSkipped(
  db: Kysely<Database>,
  importId: string,
  batch?: number | 'without a batch',
): Promise<SkippedProduct[]> {
  const isListed =
    typeof batch === 'string' ? sql`file.import_id = ${importId} and batch is null` : isIn(importId, batch)
  const { rows } = await sql<SkippedProduct>`
    select product_id as "productId", products.name, string_agg(distinct reason, '; ' order by reason) as reason
    from undo_import_rows as file join products on products.id = product_id
    where ${isListed} and reason is not null group by product_id, products.name order by min(row)`.execute(db)
  return rows
}

/** A value of a column, the attributes, or the rows of the pictures. */
type Restored = string | number | boolean | null | AttributeValues | { position: number; image: string }[]

interface RestoredRow {
  name: string
  kind: 'added' | 'edited' | 'deleted'
  is_product: boolean
  reverses: boolean
  now: Record<string, Restored>
  restored: Record<string, Restored>
  stock: number | null
  move: number
}

/** Lists the first changes that the undo would make now, in the columns of a product file. */
export async function listChanges(db: Kysely<Database>, importId: string): Promise<ImportChange[]> {
  const { rows } = await sql<RestoredRow>`
    select concat_ws(', ', products.name, variants.size, variants.colour) as name, file.kind, variant_id is null as is_product,
      reverses, ${nowOf} as now, restored, variants.stock, move
    from undo_import_rows as file join products on products.id = file.product_id
      left join variants on variants.id = file.variant_id
    where import_id = ${importId} and ${isRestored} order by row limit ${maxListedChanges}`.execute(db)
  return rows.map((row) => ({ row: 0, name: row.name, ...describe(row) }))
}

/** The present values of a row's product or variant. */
export const nowOf = sql`case when file.variant_id is null
    then ${toJson('products', productNames)} || jsonb_build_object('pictures', ${pictureRows})
  else ${toJson('variants', variantNames)} end`

function toJson(table: string, names: string[]): RawBuilder<unknown> {
  const pairs = names.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${table}.${name}`)}`)
  return sql`jsonb_build_object(${sql.join(pairs)})`
}

function describe({ kind, is_product, reverses, now, restored, stock, move }: RestoredRow) {
  const [before, after]: Record<string, string | null>[] = [{}, {}]
  for (const [key, value] of Object.entries(restored)) {
    const column: ProductColumn | undefined = fileColumns.find((each) => each.sql === key)
    if (!before || !after) continue
    const name = column?.name ?? key
    before[name] = toText(column, now[key])
    after[name] = toText(column, value)
  }
  const what = is_product ? 'product' : 'variant'
  if (reverses) {
    const [deleted, forSale] = ['deleted', 'for sale']
    Object.assign(before ?? {}, { [what]: kind === 'added' ? forSale : deleted })
    Object.assign(after ?? {}, { [what]: kind === 'added' ? deleted : forSale })
  }
  if (move !== 0 && stock !== null) {
    Object.assign(before ?? {}, { quantity: String(stock) })
    Object.assign(after ?? {}, { quantity: String(stock + move) })
  }
  return { before: before ?? {}, after: after ?? {} }
}

function toText(column: ProductColumn | undefined, value: Restored | undefined): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) {
    const others = value.filter(({ position }) => position > 1)
    return others.map(({ image }) => image).join(pictureSeparator) || null
  }
  if (typeof value === 'object') {
    const values = Object.entries(value).map(([name, each]) => `${name}: ${each}`)
    return values.join('; ') || null
  }
  if (typeof value === 'boolean') return value ? 'yes' : null
  return column?.type === 'cents' ? toPlainDollars(toDollars(Number(value))) : String(value)
}
