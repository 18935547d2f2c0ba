import type { Calls } from '../../http/calls.ts'
import { inTransaction } from '../../platform/database/database.ts'
import * as orders from '../orders/service.ts'
import { type InvoiceDeps, issueInvoice } from './service.ts'

export function registerInvoices(
  calls: Calls,
  { orderKeys, readSeller }: Pick<InvoiceDeps, 'readSeller'> & { orderKeys: orders.OrderKeys },
): void {
  calls.handle('issueInvoice', (input) => {
    const { db, params, body } = input
    // On one connection: while the database does not respond, the call would wait for each one again.
    return inTransaction(db, async (tx) => {
      const { order } = await orders.requireOrderByKey({ db: tx, orderKeys }, input, params.id, 'orders')
      return issueInvoice({ db: tx, readSeller }, order.id, body.refundId ?? null)
    })
  })
}
