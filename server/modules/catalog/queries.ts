import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Returns whether a product is in stock. */
export async function hasStock(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`
    select from variants join products on products.id = product_id
    where removed_at is null and deleted_at is null and variants.stock > 0 limit 1`.execute(db)
  return rows.length > 0
}
