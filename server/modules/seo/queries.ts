import { type Kysely, type Selectable, sql } from 'kysely'
import type { ProductsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'

/** A part of the catalog: the products that came into it one after another. */
export interface CatalogChunk {
  number: number
  changed_at: Date
  /** Whether a product is left in it. */
  is_filled: boolean
  /** Whether nothing can still turn up in it that counts as changed at that moment or before. */
  is_settled: boolean
}

/**
 * Asks the indexes twice for each part, and reads no products.
 *
 * What a transaction changed counts from the moment of the change, and shows when it commits: so a part is settled once
 * its last change is older than every transaction that is still writing. It has to be past for a while too, because
 * headers count whole seconds, and clocks are set back.
 */
export const partsQuery = (quiet = '1 minute') => sql<CatalogChunk>`
  select part as number, changed_at,
    (select min(number) from catalogue_entries where catalogue_part(number) = part and is_listed)
      is not null as is_filled,
    changed_at < now() - ${quiet}::interval and not exists (
      select from pg_stat_activity
      where datname = current_database() and backend_xid is not null and xact_start <= changed_at
    ) as is_settled
  from generate_series(1, (select max(catalogue_part(number)) from catalogue_entries)) as part
  cross join lateral (
    select changed_at from catalogue_entries where catalogue_part(number) = part
    order by changed_at desc limit 1
  ) as newest
  order by part`

/** Every part that ever had a product, by its number. */
export async function listChunks(db: Kysely<Database>): Promise<CatalogChunk[]> {
  return (await partsQuery().execute(db)).rows
}

const columns = [
  'products.id',
  'name',
  'description',
  'image',
  'brand',
  'kind',
  'sku',
  'gtin',
  'minimum_quantity',
  'stock',
  'price_cents',
  'catalogue_entries.number',
  'catalogue_entries.changed_at',
] as const

type ProductColumn = Extract<(typeof columns)[number], keyof ProductsTable>
export type ListedProduct = Pick<Selectable<ProductsTable>, 'id' | ProductColumn> & {
  number: number
  changed_at: Date
}

const rowsAtOnce = 250

/** The products of a part that are in the shop, some hundred at a time; no connection is held between them. */
export async function* iterateChunk(db: Kysely<Database>, chunk: number): AsyncGenerator<ListedProduct[]> {
  for (let last = 0, isMore = true; isMore; ) {
    const rows = await db
      .selectFrom('catalogue_entries')
      .innerJoin('products', 'products.id', 'product_id')
      .select(columns)
      .where(sql`catalogue_part(number)`, '=', chunk)
      .where('number', '>', last)
      .where('is_listed', '=', sql.lit(true))
      .orderBy('number')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length > 0) yield rows
    last = rows.at(-1)?.number ?? last
    isMore = rows.length === rowsAtOnce
  }
}
