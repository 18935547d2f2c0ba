import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import { inTransaction } from '../../../platform/database/database.ts'

/** Orders whose documents one statement adds. Their rows are locked for as long. */
const maxIndexedOrders = 500

/**
 * Adds the documents of orders that were placed by earlier versions, newest first, and skips locked orders.
 *
 * @returns the number of orders; 0 when all are indexed
 */
export const indexOrders = (db: Kysely<Database>): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from orders where not is_indexed
      order by placed_at desc nulls last, id limit ${maxIndexedOrders} for no key update skip locked`.execute(
      tx,
    )
    const ids = rows.map(({ id }) => id)
    // Another statement, which sees the notes that were added before the lock.
    await sql`
      with documented as (
        insert into order_documents (order_id, placed_at, document)
        select id, placed_at, build_order_document(id) from orders where id = any(${ids}::text[])
        on conflict (order_id) do update set document = excluded.document
      )
      update orders set is_indexed = true where id = any(${ids}::text[])`.execute(tx)
    return ids.length
  })

/** Updates the search terms of a locked order whose rows or notes have changed. */
export async function refreshDocument(db: Kysely<Database>, orderId: string): Promise<void> {
  await sql`update order_documents set document = build_order_document(order_id) where order_id = ${orderId}`.execute(
    db,
  )
}
