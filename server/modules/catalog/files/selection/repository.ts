import { type Kysely, sql } from 'kysely'
import type { ProductChange } from '../../../../../contract/product-changes.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Prices } from './rules.ts'

/** The columns that a change sets to one value. */
export type ChangedColumn = 'hidden' | 'brand' | 'kind' | 'supplier'

/**
 * Stores a change of one column, with the present values. Products that have the new value already have no row. Returns the
 * number of rows.
 */
export async function stageColumn(
  db: Kysely<Database>,
  importId: string,
  ids: string[],
  column: ChangedColumn,
  value: boolean | string | null,
): Promise<number> {
  const stored = sql.ref(`products.${column}`)
  const wanted = column === 'hidden' ? sql`${value}::boolean` : sql`${value}::text`
  const { numAffectedRows } = await sql`
    insert into undo_import_rows (import_id, row, product_id, kind, before, after, moved)
    select ${importId}, row_number() over (order by place), id, 'edited',
      jsonb_build_object(${sql.lit(column)}, ${wanted}), jsonb_build_object(${sql.lit(column)}, ${stored}), 0
    from unnest(${ids}::text[]) with ordinality as chosen (id, place) join products using (id)
    where deleted_at is null and ${stored} is distinct from ${wanted}`.execute(db)
  return Number(numAffectedRows)
}

/** Stores the deletion of products, or their restoring. Returns the number of rows. */
export async function stageDeletion(
  db: Kysely<Database>,
  importId: string,
  ids: string[],
  { deleted }: Extract<ProductChange, { deleted: boolean }>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into undo_import_rows (import_id, row, product_id, kind, before, after, moved)
    select ${importId}, row_number() over (order by place), id, ${deleted ? 'added' : 'deleted'}, '{}',
      jsonb_build_object('deleted_at', deleted_at), 0
    from unnest(${ids}::text[]) with ordinality as chosen (id, place) join products using (id)
    where (deleted_at is null) = ${deleted}`.execute(db)
  return Number(numAffectedRows)
}

interface PricedProduct extends Prices {
  id: string
  name: string
}

/** Reads the prices of products that are not deleted, in this order. Only products with their own sizes have variants. */
export async function listPrices(db: Kysely<Database>, ids: string[]): Promise<PricedProduct[]> {
  const { rows } = await sql<PricedProduct>`
    select products.id, name, products.price_cents, coalesce((
        select json_agg(json_build_object('id', variants.id, 'price_cents', variants.price_cents) order by position)
        from variants where product_id = products.id and removed_at is null and options = 'variants'), '[]') as variants
    from unnest(${ids}::text[]) with ordinality as chosen (id, place) join products using (id)
    where deleted_at is null order by place`.execute(db)
  return rows
}

/** A new price of a product, or of one of its variants. */
export interface PriceRow {
  product_id: string
  variant_id: string | null
  before: number | null
  after: number | null
}

/** Stores new prices with the present ones. */
export async function stagePrices(
  db: Kysely<Database>,
  importId: string,
  firstRow: number,
  rows: PriceRow[],
): Promise<void> {
  await sql`
    insert into undo_import_rows (import_id, row, product_id, variant_id, kind, before, after, moved)
    select ${importId}, ${firstRow}::integer + place - 1, product_id, variant_id, 'edited',
      jsonb_build_object('price_cents', after), jsonb_build_object('price_cents', before), 0
    from unnest(${rows.map((row) => row.product_id)}::text[], ${rows.map((row) => row.variant_id)}::text[],
      ${rows.map((row) => row.before)}::integer[], ${rows.map((row) => row.after)}::integer[])
      with ordinality as priced (product_id, variant_id, before, after, place)`.execute(db)
}

/** Collects statistics, because the check joins the rows. */
export async function analyzeRows(db: Kysely<Database>): Promise<void> {
  await sql`analyze undo_import_rows`.execute(db)
}
