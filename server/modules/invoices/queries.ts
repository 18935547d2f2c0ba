import { type Kysely, type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database, InvoicesTable } from '../../../db/schema.ts'

export const invoiceColumns = ['kind', 'number', 'order_id', 'refund_id', 'seller', 'issued_at'] as const
export type Invoice = Selectable<InvoicesTable>

/** Returns the invoice of an order, or the credit note of one of its refunds, if it has been issued. */
export function findInvoice(
  db: Kysely<Database>,
  orderId: string,
  refundId: string | null,
): Promise<Invoice | undefined> {
  const invoices = db.selectFrom('invoices').select(invoiceColumns).where('order_id', '=', orderId)
  return refundId === null
    ? // Not a parameter, for the index `invoices_order`.
      invoices.where('kind', '=', sql.lit('invoice' as const)).executeTakeFirst()
    : invoices.where('refund_id', '=', refundId).executeTakeFirst()
}

/** A refund with what it returned of each line. */
export type Refund = NonNullable<Awaited<ReturnType<typeof findRefund>>>

export const findRefund = (db: Kysely<Database>, orderId: string, id: string) =>
  db
    .selectFrom('refunds')
    .select(['id', 'amount_cents', 'kind', 'reason', 'status'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('refund_lines')
          .select(['line_number', 'pieces', 'amount_cents', 'tax_cents'])
          .whereRef('refund_lines.refund_id', '=', 'refunds.id')
          // The shipping is last, as in an order.
          .orderBy(sql`nullif(line_number, 0)`, (line) => line.asc().nullsLast()),
      ).as('lines'),
    )
    .where('id', '=', id)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
