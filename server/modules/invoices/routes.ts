import type { Kysely } from 'kysely'
import type { Seller } from '../../../contract/invoices.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import * as orders from '../orders/service.ts'
import { issueInvoice } from './service.ts'

export function registerInvoices(
  calls: Calls,
  {
    orderKeys,
    readSeller,
  }: { orderKeys: orders.OrderKeys; readSeller: (db: Kysely<Database>) => Promise<Seller> },
): void {
  calls.handle('issueInvoice', async (input) => {
    const { db, params, body } = input
    const reader = orders.toReader(input)
    const { order } = await orders.requireOrderByKey({ db, orderKeys }, reader, params.id, 'orders')
    return issueInvoice({ db, seller: await readSeller(db) }, order.id, body.refundId ?? null)
  })
}
