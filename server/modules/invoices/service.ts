import type { Kysely } from 'kysely'
import type { Invoice, Seller } from '../../../contract/invoices.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import * as orders from '../orders/service.ts'
import { presentCreditNote, presentInvoice } from './present.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

export interface InvoiceDeps {
  db: Kysely<Database>
  /** Returns the seller on new documents. Issued ones keep theirs. */
  readSeller: (db: Kysely<Database>) => Promise<Seller>
}

/**
 * Returns the invoice of a paid order, or the credit note of one of its refunds. The first call issues it; all later ones
 * return the same document.
 *
 * @param refundId null: the invoice
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID, NOT_FOUND if the order has no such refund, REFUND_NOT_COMPLETE
 */
export function issueInvoice(
  { db, readSeller }: InvoiceDeps,
  orderId: string,
  refundId: string | null,
): Promise<Invoice> {
  return inTransaction(db, async (tx) => {
    // Documents of one order are issued one after the other.
    await orders.lockOrder(tx, orderId)
    const order = await orders.findOrder(tx, orderId)
    if (!order) throw new ShopError('ORDER_NOT_FOUND')
    if (orders.toPaymentAmounts(order).paidCents === 0) throw new ShopError('ORDER_NOT_PAID')
    const refund = refundId === null ? null : await requireRefund(tx, orderId, refundId)
    const issue = async (id: string | null) =>
      (await queries.findInvoice(tx, orderId, id)) ??
      (await repository.insertInvoice(tx, { orderId, refundId: id, seller: await readSeller(tx) }))
    // A credit note names the invoice that it corrects.
    const invoice = await issue(null)
    return refund
      ? presentCreditNote(order, invoice, await issue(refund.id), refund)
      : presentInvoice(order, invoice)
  })
}

/** Returns a refund of an order whose money has been returned. */
async function requireRefund(tx: Kysely<Database>, orderId: string, id: string): Promise<queries.Refund> {
  const refund = await queries.findRefund(tx, orderId, id)
  // The payment of an unmatched refund is on no invoice.
  if (!refund || refund.kind === 'unmatched' || refund.amount_cents === 0) throw new ShopError('NOT_FOUND')
  if (refund.status !== 'succeeded' && refund.status !== 'closed') throw new ShopError('REFUND_NOT_COMPLETE')
  return refund
}
