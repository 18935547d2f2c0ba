import { type Kysely, sql } from 'kysely'
import type { SkippedProduct } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import { isSold } from './sold.ts'

/** Returns whether a product is for sale and in stock. */
export async function hasStock(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from variants join products on products.id = product_id
    where removed_at is null and ${isSold} and variants.stock > 0 limit 1`.execute(db)
  return rows.length > 0
}

/** A query of the products with a variant whose stock is low, by the index of watched variants. */
export const lowProducts = sql`
  select variants.product_id from variants where removed_at is null and variants.stock <= variants.low_stock`

/** Counts the products with a variant whose stock is low, hidden products too. Counts again after `maxAgeMs`. */
export function createLowStockCount(maxAgeMs: number): (db: Kysely<Database>) => Promise<number> {
  let count = 0
  /** From `performance.now()`. */
  let countedAt = -Infinity
  return async (db) => {
    const startedAt = performance.now()
    if (startedAt - countedAt < maxAgeMs) return count
    const { rows } = await sql<{ products: number }>`
      select count(distinct product_id)::integer as products from (${lowProducts}) as low`.execute(db)
    count = rows[0]?.products ?? 0
    countedAt = startedAt
    return count
  }
}

/** Values that a file replaces as a whole, by their name in the history of products. */
export type ReplacedField = 'fitments' | 'part_numbers'

export const changedSince = 'Changed since the import'

/** Whether these values of `products` were changed after the import. */
export const isChangedSince = (importId: string, field: ReplacedField) => sql<boolean>`exists (
  select from product_changes as later
  where later.product_id = products.id and later.after ? ${field} and later.import_id is distinct from ${importId}
    and later.id > (select max(own.id) from product_changes as own
      where own.product_id = products.id and own.import_id = ${importId}))`

/** Lists the locked products whose values were changed after the import. */
export async function listChangedSince(
  db: Kysely<Database>,
  importId: string,
  field: ReplacedField,
  productIds: string[],
): Promise<SkippedProduct[]> {
  const { rows } = await sql<SkippedProduct>`
    select id as "productId", name, ${changedSince} as reason from products
    where id = any(${productIds}::text[]) and ${isChangedSince(importId, field)} order by id`.execute(db)
  return rows
}
