import type { Seller } from '../../../contract/invoices.ts'
import type { Calls } from '../../http/calls.ts'
import * as orders from '../orders/service.ts'
import { issueInvoice } from './service.ts'

export function registerInvoices(
  calls: Calls,
  { orderKeys, seller }: { orderKeys: orders.OrderKeys; seller: Seller },
): void {
  calls.handle('issueInvoice', async (input) => {
    const { db, params, body } = input
    const reader = orders.toReader(input)
    const { order } = await orders.requireOrderByKey({ db, orderKeys }, reader, params.id, 'owner or admin')
    return issueInvoice({ db, seller }, order.id, body.refundId ?? null)
  })
}
