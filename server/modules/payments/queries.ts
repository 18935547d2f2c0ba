import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { RefundQuery } from '../../../contract/payments.ts'
import type { Database, RefundsTable } from '../../../db/schema.ts'
import { type Page, pageOf } from '../../platform/page.ts'

export type Refund = Selectable<RefundsTable>

/** The refund of an intent's money: there is one at the most. */
export function findRefund(db: Kysely<Database>, intentId: string): Promise<Refund | undefined> {
  return db.selectFrom('refunds').selectAll().where('intent_id', '=', intentId).executeTakeFirst()
}

/** The refunds of an order, oldest first. */
export function listRefundsOfOrder(db: Kysely<Database>, orderId: string): Promise<Refund[]> {
  return db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute()
}

/** Refunds of all orders, newest first, with whose order each is of. */
export async function listRefunds(
  db: Kysely<Database>,
  query: RefundQuery,
): Promise<Page<Refund & { customer_email: string }>> {
  const { limit, offset } = pageOf(query)
  const matching = (eb: ExpressionBuilder<Database, 'refunds'>) =>
    eb.and(query.status ? [eb('refunds.status', '=', query.status)] : [])
  const rows = db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .selectAll('refunds')
    .select('customer_email')
    .where(matching)
    .orderBy('refunds.created_at', 'desc')
    .orderBy('intent_id')
    .limit(limit)
    .offset(offset)
  const count = db.selectFrom('refunds').select(sql<number>`count(*)`.as('total')).where(matching)
  const [page, { total }] = await Promise.all([rows.execute(), count.executeTakeFirstOrThrow()])
  return { rows: page, total }
}
