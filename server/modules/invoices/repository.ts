import { type Kysely, sql } from 'kysely'
import type { Seller } from '../../../contract/invoices.ts'
import type { Database } from '../../../db/schema.ts'
import { INVOICING } from '../../platform/database/advisory-locks.ts'
import { type Invoice, invoiceColumns } from './queries.ts'

interface NewInvoice {
  orderId: string
  /** Null: the invoice of the order. */
  refundId: string | null
  seller: Seller
}

/** Inserts a document with the next number of its series. All others wait until the end of the transaction. */
export async function insertInvoice(
  tx: Kysely<Database>,
  { orderId, refundId, seller }: NewInvoice,
): Promise<Invoice> {
  await sql`select pg_advisory_xact_lock(${INVOICING})`.execute(tx)
  // A statement of its own: its snapshot is newer than the lock, so it sees the number of the transaction before it.
  const kind = refundId === null ? 'invoice' : 'credit_note'
  const { rows } = await sql<Invoice>`
    insert into invoices (kind, number, order_id, refund_id, seller)
    select ${kind}, coalesce(max(number), 0) + 1, ${orderId}, ${refundId}, ${JSON.stringify(seller)}::jsonb
    from invoices where kind = ${kind}
    returning ${sql.join(invoiceColumns.map((column) => sql.ref(column)))}`.execute(tx)
  const [invoice] = rows
  if (!invoice) throw new Error('the invoice was not inserted')
  return invoice
}
