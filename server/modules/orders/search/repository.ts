import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/** Orders whose documents one statement adds. Their rows are locked for as long. */
const maxIndexedOrders = 500

/**
 * Adds the documents of orders that were placed by earlier versions, newest first, and skips locked orders.
 *
 * @returns the number of orders; 0 when all are indexed
 */
export async function indexOrders(db: Kysely<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as materialized (
      select id, placed_at from orders where not is_indexed
      order by placed_at desc nulls last, id limit ${maxIndexedOrders} for no key update skip locked
    ), documented as (
      insert into order_documents (order_id, placed_at, document)
      select id, placed_at, build_order_document(id) from due
      on conflict (order_id) do update set document = excluded.document
    )
    update orders set is_indexed = true from due where orders.id = due.id`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Updates the search terms of a locked order whose rows or notes have changed. */
export async function refreshDocument(db: Kysely<Database>, orderId: string): Promise<void> {
  await sql`update order_documents set document = build_order_document(order_id) where order_id = ${orderId}`.execute(
    db,
  )
}
