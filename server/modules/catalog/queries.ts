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
