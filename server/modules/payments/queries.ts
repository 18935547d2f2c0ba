import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { RefundFilters, RefundQuery } from '../../../contract/payments.ts'
import {
  type RefundFileColumn,
  type RefundFileQuery,
  refundFileColumns,
} from '../../../contract/refund-file.ts'
import type { Database, PaymentsTable, RefundLinesTable, RefundsTable } from '../../../db/schema.ts'
import {
  guardFormulas,
  inlineParameters,
  isoTime,
  selectColumns,
  toDollarsSql,
} from '../../platform/database/csv-export.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'
import type { Refundable } from './rules.ts'
import type { ProviderKey } from './stripe.ts'

export type Payment = Pick<Selectable<PaymentsTable>, 'intent_id' | 'status'>
export type Refund = Omit<Selectable<RefundsTable>, 'checked_at'>

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

/** Returns the order and the recorded status of a payment, or undefined if the shop has not opened it. */
export const findPayment = (db: Kysely<Database>, { provider, id }: ProviderKey) =>
  db
    .selectFrom('payments')
    .select(['order_id', 'status'])
    .where('provider', '=', provider)
    .where('intent_id', '=', id)
    .executeTakeFirst()

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

/** The share of a line, or of the shipping, in an order, with its refunds. */
type RefundableShare = Pick<Refundable, 'pieces' | 'totalCents' | 'taxCents' | 'refundedCents'> & {
  /** 0: the shipping. */
  lineNumber: number
  shipment_id: string | null
  cancelled_pieces: number
  returned_pieces: number
}

/** Returns the shares of all lines and of the shipping, which add up to the amount of the order and to its tax. */
export async function listShares(db: Kysely<Database>, orderId: string): Promise<RefundableShare[]> {
  const { rows } = await sql<RefundableShare>`
    with lines as (
      select line_number, quantity, shipment_id, coalesce(total_cents, unit_price_cents * quantity) as total_cents,
        tax_cents
      from order_lines where order_id = ${orderId}
    ), shares as (
      select * from lines
      union all
      select 0, 0, null, (amount_cents - (select sum(total_cents) from lines))::integer,
        (coalesce((select sum(amount_cents) from order_charges where order_id = orders.id and kind = 'tax'), 0)
          - (select sum(tax_cents) from lines))::integer
      from orders where id = ${orderId}
    ), refunded as (
      select line_number, sum(refund_lines.amount_cents)::integer as cents,
        coalesce(sum(pieces) filter (where kind = 'cancellation'), 0)::integer as cancelled_pieces,
        coalesce(sum(pieces) filter (where kind = 'return'), 0)::integer as returned_pieces
      from refund_lines join refunds on refunds.id = refund_id where order_id = ${orderId} group by line_number
    )
    select line_number as "lineNumber", quantity as pieces, shipment_id, total_cents as "totalCents",
      tax_cents as "taxCents", coalesce(cents, 0) as "refundedCents",
      coalesce(cancelled_pieces, 0) as cancelled_pieces, coalesce(returned_pieces, 0) as returned_pieces
    from shares left join refunded using (line_number) order by line_number`.execute(db)
  return rows
}

/** The condition of the filters; true without any. */
function toCondition({ status, from, to }: RefundFilters): RawBuilder<SqlBool> {
  const conditions = [sql`true`]
  if (status) conditions.push(sql`refunds.status = ${status}`)
  if (from) conditions.push(sql`refunds.created_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`refunds.created_at < ${to}::timestamptz`)
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** Refunds of all orders, newest first, with the customer's email. */
export async function listRefunds(
  db: Kysely<Database>,
  query: RefundQuery,
): Promise<Page<ListedRefund & { customer_email: string }>> {
  const { limit, offset } = toLimitOffset(query)
  const matching = toCondition(query)
  const ids = db
    .selectFrom('refunds')
    .select('id')
    .where(matching)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
  const rows = withLines(db)
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select('customer_email')
    // Postgres would also compute the lines of the refunds that the offset skips.
    .where('refunds.id', '=', sql<string>`any(array(${ids}))`)
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id')
  const count = db.selectFrom('refunds').select(sql<number>`count(*)`.as('total')).where(matching)
  const [page, { total }] = await Promise.all([rows.execute(), count.executeTakeFirstOrThrow()])
  return { rows: page, total }
}

const fileColumns: Record<RefundFileColumn, string> = {
  order: 'refunds.order_id',
  number: 'left(refunds.order_id, 6)',
  created_at: isoTime('refunds.created_at'),
  kind: 'refunds.kind',
  status: 'refunds.status',
  name: guardFormulas('customer_name'),
  email: guardFormulas('customer_email'),
  reason: guardFormulas('refunds.reason'),
  pieces: 'shares.pieces',
  total: toDollarsSql('refunds.amount_cents'),
  tax: toDollarsSql('shares.tax_cents'),
  transaction_id: guardFormulas('refunds.intent_id'),
  refund_id: guardFormulas('refunds.provider_refund_id'),
  note: guardFormulas("nullif(refunds.note, '')"),
}
const fileFormat = { values: fileColumns, codes: ['order', 'number'], amounts: ['total', 'tax'] } as const

/** Returns the query of refunds for a CSV file, oldest first. A payment that paid no order has neither pieces nor tax. */
export function exportRefunds(db: Kysely<Database>, query: RefundFileQuery): string {
  const rows = sql`
    select ${selectColumns(refundFileColumns, fileFormat, query.decimals)}
    from refunds join orders on orders.id = refunds.order_id cross join lateral (
      select sum(pieces) as pieces, sum(tax_cents) as tax_cents from refund_lines where refund_id = refunds.id
    ) as shares
    where ${toCondition(query)}
    order by refunds.created_at, refunds.id`
  return inlineParameters(db, rows)
}
