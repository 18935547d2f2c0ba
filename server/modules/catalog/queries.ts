import { type Kysely, sql } from 'kysely'
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
