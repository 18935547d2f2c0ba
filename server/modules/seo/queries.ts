import { type Kysely, sql } from 'kysely'
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

const batchSize = 250

const listBatch = (db: Kysely<Database>, chunk: number, afterSequence: number) =>
  db
    .selectFrom('sitemap_entries')
    .innerJoin('products', 'products.id', 'product_id')
    .select(['products.id', 'name', 'description', 'image', 'brand', 'kind', 'options', 'attributes'])
    .select(['minimum_quantity', 'price_cents', 'sequence', 'changed_at'])
    .where(sql`sitemap_chunk(sequence)`, '=', chunk)
    .where('sequence', '>', afterSequence)
    .where('is_listed', '=', sql.lit(true))
    .orderBy('sequence')
    .limit(batchSize)
    .execute()

/** Returns the variants of products that are not removed, in the order of display. */
export const listVariants = (db: Kysely<Database>, productIds: string[]) =>
  db
    .selectFrom('variants')
    .select(['id', 'product_id', 'size', 'colour', 'sku', 'gtin', 'price_cents', 'image', 'stock'])
    .where('product_id', '=', sql<string>`any(${productIds})`)
    .where('removed_at', 'is', null)
    .orderBy('product_id')
    .orderBy('position')
    .execute()

/** Returns the certificates of products. */
export const listCertificates = (db: Kysely<Database>, productIds: string[]) =>
  db
    .selectFrom('certificates')
    .select(['product_id', 'standard', 'class', 'zone'])
    .where('product_id', '=', sql<string>`any(${productIds})`)
    .orderBy('product_id')
    .orderBy('standard')
    .orderBy('zone')
    .execute()

/** Returns the pictures of products after the first one, in the order of display. */
export const listPictures = (db: Kysely<Database>, productIds: string[]) =>
  db
    .selectFrom('product_pictures')
    .select(['product_id', 'image', 'colour'])
    .where('product_id', '=', sql<string>`any(${productIds})`)
    .where('position', '>', 1)
    .orderBy('product_id')
    .orderBy('position')
    .execute()

export type ListedPicture = Awaited<ReturnType<typeof listPictures>>[number]
export type ListedCertificate = Awaited<ReturnType<typeof listCertificates>>[number]
export type ListedVariant = Awaited<ReturnType<typeof listVariants>>[number]
export type ListedProduct = Awaited<ReturnType<typeof listBatch>>[number]

/** Yields the products of a chunk in batches. No connection is held between batches. */
export async function* iterateChunk(db: Kysely<Database>, chunk: number): AsyncGenerator<ListedProduct[]> {
  let batch: ListedProduct[] = []
  do {
    batch = await listBatch(db, chunk, batch.at(-1)?.sequence ?? 0)
    yield batch
  } while (batch.length === batchSize)
}
