import { type Kysely, sql } from 'kysely'
import type { AttributeValues } from '../contract/attributes.ts'
import type { FitKind } from '../contract/fit-answer.ts'
import { toCents } from '../contract/money.ts'
import type { Database } from '../db/schema.ts'
import { compactCounts } from '../server/modules/catalog/service.ts'
import { drawingUrl } from '../server/modules/pictures/drawings.ts'
import { type CatalogProduct, catalogProduct } from './catalog.ts'

const batch = 5000
const compactionInterval = 4 * batch

/** Chooses the fit columns and the attributes of a product. The caller adds its fitments later. */
export type ToFit = (product: CatalogProduct) => {
  fitKind: FitKind
  bikes: number[]
  attributes?: AttributeValues
}
const noFit: ToFit = () => ({ fitKind: 'vehicle', bikes: [] })

/**
 * Adds the products 1 to `count` of the generated catalog with their first stock movements, in two concurrent batches.
 * Existing products do not change, even if they were sold, edited or deleted.
 *
 * @param onProgress gets the number of products processed so far
 * @param allHaveSizes gives each product three variants, not only gear
 * @param toFit chooses the bikes that a product fits and its attributes, by default none
 * @param signal stops after the current batches
 * @returns the number of added products
 */
export async function fillCatalog(
  db: Kysely<Database>,
  count: number,
  onProgress: (done: number) => void,
  {
    allHaveSizes = false,
    toFit = noFit,
    signal,
  }: { allHaveSizes?: boolean; toFit?: ToFit; signal?: AbortSignal } = {},
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
          Array.from({ length: size }, (_, index) =>
            catalogProduct(from + lane * batch + index + 1, allHaveSizes),
          ),
          toFit,
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
  if (added > 0) {
    const filled = [
      'products',
      'variants',
      'stock_movements',
      'product_words',
      'facet_lexemes',
      'product_counts',
    ]
    await vacuum(db, filled)
  }
  return added
}

/** Updates the planner's statistics and the visibility map, however long it takes: the role has a timeout. */
export async function vacuum(db: Kysely<Database>, tables: string[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await sql`vacuum (analyze) ${sql.join(tables.map((table) => sql.table(table)))}`.execute(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

const productColumns = [
  'id',
  'name',
  'description',
  'image',
  'brand',
  'kind',
  'category',
  'supplier',
  'minimum_quantity',
  'options',
  'stock',
  'price_cents',
  'fit_kind',
  'fits',
  'attributes',
].map((column) => sql.ref(column))

async function addProducts(db: Kysely<Database>, products: CatalogProduct[], toFit: ToFit): Promise<number> {
  if (products.length === 0) return 0
  const rows = products.map((product) => {
    const { drawing, tint, price, minimum, variants: _, ...row } = product
    const image = drawingUrl(drawing, tint)
    const { fitKind: fit_kind, bikes: fits, attributes = {} } = toFit(product)
    return {
      ...row,
      image,
      price_cents: toCents(price),
      minimum_quantity: minimum,
      fit_kind,
      fits,
      attributes,
    }
  })
  const variants = products.flatMap(({ id, variants }) =>
    variants.map((variant, index) => ({ ...variant, product_id: id, position: index + 1 })),
  )
  return await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const { rows: added } = await sql<{ count: number }>`
      with added as (
        insert into products (${sql.join(productColumns)}, created_at)
        select ${sql.join(productColumns)}, now() + ordinality * interval '1 microsecond'
        from jsonb_populate_recordset(null::products, ${JSON.stringify(rows)}::jsonb) with ordinality
        on conflict (id) do nothing returning id, created_at
      ), added_variants as (
        insert into variants (id, product_id, position, size, sku, gtin, stock, created_at)
        select variant.id, product_id, position, size, sku, gtin, stock, added.created_at
        from jsonb_populate_recordset(null::variants, ${JSON.stringify(variants)}::jsonb) as variant
          join added on added.id = product_id
      )
      select count(*) as count from added`.execute(tx)
    return added[0]?.count ?? 0
  })
}
