import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { RefundQuery } from '../../../contract/payments.ts'
import type { Database, PaymentsTable, RefundLinesTable, RefundsTable } from '../../../db/schema.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'
import type { ProviderKey } from './stripe.ts'

export type Payment = Pick<Selectable<PaymentsTable>, 'intent_id' | 'status'>
export type Refund = Selectable<RefundsTable>

export const refundColumns = [
  'refunds.id',
  'refunds.provider',
  'refunds.intent_id',
  'refunds.order_id',
  'refunds.amount_cents',
  'refunds.kind',
  'refunds.idempotency_key',
  'refunds.return_id',
  'refunds.note',
  'refunds.reason',
  'refunds.status',
  'refunds.attempt',
  'refunds.provider_refund_id',
  'refunds.failure',
  'refunds.next_attempt_at',
  'refunds.requested_until',
  'refunds.created_at',
  'refunds.updated_at',
] as const

/** Lists the payments of an order in any status. At most one is live: see the index `payments_live`. */
export function listPayments(db: Kysely<Database>, orderId: string): Promise<Payment[]> {
  return db.selectFrom('payments').select(['intent_id', 'status']).where('order_id', '=', orderId).execute()
}

/** Returns the payment of an order that is open, in progress or done. */
export async function findLivePayment(db: Kysely<Database>, orderId: string): Promise<Payment | undefined> {
  return (await listPayments(db, orderId)).find(isLive)
}

/** Returns the recorded status of a payment, or undefined if the shop has not opened it. */
export async function findStatus(
  db: Kysely<Database>,
  { provider, id }: ProviderKey,
): Promise<Payment['status'] | undefined> {
  const payments = db.selectFrom('payments').select('status')
  const payment = payments.where('provider', '=', provider).where('intent_id', '=', id).executeTakeFirst()
  return (await payment)?.status
}

/** Returns the order for which the shop has opened a payment. */
export async function findOrderId(
  db: Kysely<Database>,
  { provider, id }: ProviderKey,
): Promise<string | undefined> {
  const payments = db.selectFrom('payments').select('order_id')
  const payment = payments.where('provider', '=', provider).where('intent_id', '=', id).executeTakeFirst()
  return (await payment)?.order_id
}

export const isLive = ({ status }: Payment): boolean => ['open', 'processing', 'succeeded'].includes(status)

export function listRefundsOfIntent(db: Kysely<Database>, { provider, id }: ProviderKey): Promise<Refund[]> {
  const refunds = db.selectFrom('refunds').select(refundColumns)
  return refunds.where('provider', '=', provider).where('intent_id', '=', id).execute()
}

/** Returns how many refunds the job has to request or to check, since when the first one is due, and how many have failed. */
export async function countOpenRefunds(
  db: Kysely<Database>,
): Promise<{ due: number; seconds: number; failed: number }> {
  const { rows } = await sql<{ due: number; seconds: number; failed: number }>`
    select count(*) filter (where next_attempt_at <= now())::int as due,
      greatest(0, extract(epoch from now() - min(next_attempt_at)))::float8 as seconds,
      count(*) filter (where status = 'failed')::int as failed
    from refunds where next_attempt_at is not null`.execute(db)
  return rows[0] ?? { due: 0, seconds: 0, failed: 0 }
}

/** A refund with what it returns of an order. */
export type ListedRefund = Refund & { lines: ListedRefundLine[] }
type ListedRefundLine = Pick<
  Selectable<RefundLinesTable>,
  'line_number' | 'amount_cents' | 'pieces' | 'restocked'
>

const withLines = (db: Kysely<Database>) =>
  db
    .selectFrom('refunds')
    .select(refundColumns)
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('refund_lines')
          .select(['line_number', 'amount_cents', 'pieces', 'restocked'])
          .whereRef('refund_lines.refund_id', '=', 'refunds.id')
          .orderBy('line_number'),
      ).as('lines'),
    )

/** Oldest first. */
export const listRefundsOfOrder = (db: Kysely<Database>, orderId: string): Promise<ListedRefund[]> =>
  withLines(db).where('order_id', '=', orderId).orderBy('created_at').execute()

export const findRefund = (db: Kysely<Database>, id: string): Promise<ListedRefund | undefined> =>
  withLines(db).where('refunds.id', '=', id).executeTakeFirst()

export const findRefundByKey = (
  db: Kysely<Database>,
  orderId: string,
  key: string,
): Promise<ListedRefund | undefined> =>
  withLines(db).where('order_id', '=', orderId).where('idempotency_key', '=', key).executeTakeFirst()

/** Returns the refunded amounts and pieces by line. Line 0 is the shipping. */
export const listRefundedLines = (db: Kysely<Database>, orderId: string) =>
  db
    .selectFrom('refund_lines')
    .innerJoin('refunds', 'refunds.id', 'refund_id')
    .select('line_number')
    .select((eb) => [
      eb.fn.sum<number>('refund_lines.amount_cents').as('amount_cents'),
      sql<number>`coalesce(sum(pieces) filter (where kind = 'cancellation'), 0)`.as('cancelled_pieces'),
      sql<number>`coalesce(sum(pieces) filter (where kind = 'return'), 0)`.as('returned_pieces'),
    ])
    .where('order_id', '=', orderId)
    .groupBy('line_number')
    .execute()

/** Refunds of all orders, newest first, with the customer's email. */
export async function listRefunds(
  db: Kysely<Database>,
  query: RefundQuery,
): Promise<Page<ListedRefund & { customer_email: string }>> {
  const { limit, offset } = toLimitOffset(query)
  const matching = (eb: ExpressionBuilder<Database, 'refunds'>) =>
    eb.and(query.status ? [eb('refunds.status', '=', query.status)] : [])
  const rows = withLines(db)
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select('customer_email')
    .where(matching)
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id')
    .limit(limit)
    .offset(offset)
  const count = db.selectFrom('refunds').select(sql<number>`count(*)`.as('total')).where(matching)
  const [page, { total }] = await Promise.all([rows.execute(), count.executeTakeFirstOrThrow()])
  return { rows: page, total }
}
