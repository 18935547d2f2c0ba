import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/** Hides or shows a locked product. */
export async function setHidden(db: Kysely<Database>, id: string, hidden: boolean): Promise<void> {
  await sql`update products set hidden = ${hidden} where id = ${id} and hidden <> ${hidden}`.execute(db)
}

/** Locks a product, deleted or not. Returns false if it never existed. */
export async function lockAnyProduct(db: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`select from products where id = ${id} for no key update`.execute(db)
  return rows.length > 0
}

/** Restores a locked product, and the variants that were removed with it. */
export async function restoreDeleted(db: Kysely<Database>, id: string): Promise<void> {
  // One statement at a time: the trigger of the variants reads whether the product is deleted.
  const { rows } = await sql<{ removed_at: string }>`
    update products set deleted_at = null from products as before
    where products.id = ${id} and before.id = products.id and before.deleted_at is not null
    returning before.deleted_at::text as removed_at`.execute(db)
  const removedAt = rows[0]?.removed_at
  if (removedAt === undefined) return
  await sql`
    update variants set removed_at = null
    where product_id = ${id} and removed_at = ${removedAt}::timestamptz`.execute(db)
}

/** Finds the product that has one of the part numbers of a deleted product now. */
export async function findTaker(
  db: Kysely<Database>,
  id: string,
): Promise<{ _id: string; name: string } | undefined> {
  const { rows } = await sql<{ _id: string; name: string }>`
    select products.id as "_id", products.name
    from products as deleted
      join variants as lost on lost.product_id = deleted.id and lost.removed_at = deleted.deleted_at
      join variants as taken on taken.sku_key = lost.sku_key and taken.removed_at is null
      join products on products.id = taken.product_id
    where deleted.id = ${id} order by products.id limit 1`.execute(db)
  return rows[0]
}
