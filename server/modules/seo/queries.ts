import { type Kysely, type Selectable, sql } from 'kysely'
import type { ProductsTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'

/** A chunk of the catalog: products in the order in which they were added. */
export interface CatalogChunk {
  number: number
  changed_at: Date
  /** Whether it has products that are not deleted. */
  is_filled: boolean
  /** Whether no open transaction can still add a change with this time or an earlier one. */
  is_settled: boolean
}

/**
 * Reads two index entries per chunk and no products. Exported for `EXPLAIN` in tests.
 *
 * A change has the time at which it was made, but becomes visible at the commit. So a chunk is settled when its last
 * change is older than every writing transaction, and older than `quiet`: HTTP dates have one-second resolution, and
 * clocks can be set back.
 */
export const chunksQuery = (quiet = '1 minute') => sql<CatalogChunk>`
  select chunk as number, changed_at,
    (select min(sequence) from sitemap_entries where sitemap_chunk(sequence) = chunk and is_listed)
      is not null as is_filled,
    changed_at < now() - ${quiet}::interval and not exists (
      select from pg_stat_activity
      where datname = current_database() and backend_xid is not null and xact_start <= changed_at
    ) as is_settled
  from generate_series(1, (select max(sitemap_chunk(sequence)) from sitemap_entries)) as chunk
  cross join lateral (
    select changed_at from sitemap_entries where sitemap_chunk(sequence) = chunk
    order by changed_at desc limit 1
  ) as newest
  order by chunk`

/** Returns all chunks that ever had a product, by number. */
export async function listChunks(db: Kysely<Database>): Promise<CatalogChunk[]> {
  return (await chunksQuery().execute(db)).rows
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
  'sitemap_entries.sequence',
  'sitemap_entries.changed_at',
] as const

type ProductColumn = Extract<(typeof columns)[number], keyof ProductsTable>
export type ListedProduct = Pick<Selectable<ProductsTable>, 'id' | ProductColumn> & {
  sequence: number
  changed_at: Date
}

const batchSize = 250

/** Yields batches of the products of a chunk. No connection is held between batches. */
export async function* iterateChunk(db: Kysely<Database>, chunk: number): AsyncGenerator<ListedProduct[]> {
  for (let last = 0, isMore = true; isMore; ) {
    const rows = await db
      .selectFrom('sitemap_entries')
      .innerJoin('products', 'products.id', 'product_id')
      .select(columns)
      .where(sql`sitemap_chunk(sequence)`, '=', chunk)
      .where('sequence', '>', last)
      .where('is_listed', '=', sql.lit(true))
      .orderBy('sequence')
      .limit(batchSize)
      .execute()
    if (rows.length > 0) yield rows
    last = rows.at(-1)?.sequence ?? last
    isMore = rows.length === batchSize
  }
}
