import { type Kysely, sql } from 'kysely'
import { toCents } from '../contract/money.ts'
import type { Database } from '../db/schema.ts'
import { compactCounts } from '../server/modules/catalog/service.ts'
import { drawingUrl } from '../server/modules/pictures/drawings.ts'
import { type CatalogProduct, catalogProduct } from './catalog.ts'

const batch = 5000
const compactionInterval = 4 * batch

/**
 * Adds the products 1 to `count` of the generated catalog with their first stock movements, in two concurrent batches.
 * Existing products do not change, even if they were sold, edited or deleted.
 *
 * @param onProgress gets the number of products processed so far
 * @param signal stops after the current batches
 * @returns the number of added products
 */
export async function fillCatalog(
  db: Kysely<Database>,
  count: number,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  let added = 0
  for (let done = 0; done < count; ) {
    if (signal?.aborted) break
    const from = done
    const sizes = [0, 1].map((lane) => Math.max(0, Math.min(batch, count - from - lane * batch)))
    // Two batches: the database inserts one while the other is generated.
    const counts = await Promise.all(
      sizes.map((size, lane) =>
        addProducts(
          db,
          Array.from({ length: size }, (_, index) => catalogProduct(from + lane * batch + index + 1)),
        ),
      ),
    )
    for (const count of counts) added += count
    for (const size of sizes) done += size
    // Compact product_counts often, so that it does not bloat.
    if (done % compactionInterval === 0) {
      await compactCounts(db)
      await sql`vacuum product_counts`.execute(db)
    }
    onProgress(done)
  }
  await compactCounts(db)
  // Updates the planner's statistics and the visibility map.
  if (added > 0)
    await sql`vacuum (analyze) products, stock_movements, product_words, facet_lexemes, product_counts`.execute(
      db,
    )
  return added
}

async function addProducts(db: Kysely<Database>, products: CatalogProduct[]): Promise<number> {
  const rows = products.map(({ drawing, tint, price, minimum, ...product }) => ({
    ...product,
    image: drawingUrl(drawing, tint),
    price_cents: toCents(price),
    minimum_quantity: minimum,
  }))
  if (!rows[0]) return 0
  const columns = sql.join(Object.keys(rows[0]).map((column) => sql.ref(column)))
  const { numAffectedRows } = await sql`
    insert into products (${columns}, created_at)
    select ${columns}, now() + ordinality * interval '1 microsecond'
    from jsonb_populate_recordset(null::products, ${JSON.stringify(rows)}::jsonb) with ordinality
    on conflict (id) do nothing`.execute(db)
  return Number(numAffectedRows)
}
