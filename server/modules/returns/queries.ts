import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { LineFit } from '../../../contract/fit.ts'
import type { OrderStatus } from '../../../contract/order-status.ts'
import type { Return, ReturnQuery } from '../../../contract/returns.ts'
import type { Database, ReturnsTable } from '../../../db/schema.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'
import { toBikeName } from '../bikes/service.ts'

export type ReturnRow = Selectable<ReturnsTable>

/** A return with its items. */
export interface ListedReturn extends ReturnRow {
  lines: {
    line_number: number
    pieces: number
    reason: Return['lines'][number]['reason'] | null
    name: string
    refunded_pieces: number
    bike_id: number | null
    bike: string | null
    fit_answer: LineFit['answer'] | null
    fit_position: string | null
  }[]
  candidates: { id: string; status: OrderStatus; placed_at: string | null }[]
  order_status: OrderStatus | null
}

export const returnColumns = [
  'id',
  'order_id',
  'is_withdrawal',
  'status',
  'order_number',
  'email',
  'name',
  'note',
  'reply',
  'requested_at',
  'idempotency_key',
] as const satisfies (keyof ReturnsTable)[]

const columns = sql.join(returnColumns.map((column) => sql.ref(`returns.${column}`)))

/** The pieces of `line` that the refunds for its return have returned or cancelled. */
const refundedPieces = sql`
  (select coalesce(sum(f.pieces), 0)::integer from refunds join refund_lines f on f.refund_id = refunds.id
    where refunds.return_id = returns.id and f.line_number = line.line_number)`

/** The items of a return, with what the refunds for it returned. */
const lines = sql`
  coalesce((select json_agg(json_build_object(
      'line_number', line.line_number, 'pieces', line.pieces, 'reason', line.reason,
      'name', concat_ws(', ', ordered.product_name, ordered.size, ordered.colour),
      'refunded_pieces', ${refundedPieces},
      'bike_id', ordered.bike_id, 'bike', ${toBikeName('ordered.bike_id')},
      'fit_answer', ordered.fit_answer, 'fit_position', ordered.fit_position) order by line.line_number)
    from return_lines line
      join order_lines ordered on ordered.order_id = returns.order_id and ordered.line_number = line.line_number
    where line.return_id = returns.id), '[]')`

/** Whether an order, or the account of its customer, has an email. The account's email may have changed since. */
const isEmailOfBuyer = (email: RawBuilder<unknown>) => sql`
  (lower(orders.customer_email) = ${email}
    or exists (select from customers where customers.id = orders.customer_id and customers.email = ${email}))`

/**
 * The first number in the typed text, with words beside it: `Order #a1b2c3`; else without separators: `Order A1B-2C3`. It begins
 * where a word begins, so that the end of `Purchase` is not joined to it.
 */
const typedNumber = sql`
  coalesce(substring(lower(order_number) from '[0-9a-f]{6,24}'),
    translate(substring(lower(order_number) from '\\m[0-9a-f](?:[ -]*[0-9a-f]){5,23}'), ' -', ''))`

/** The orders with the number and the email of a withdrawal without an order. Ids are hexadecimal, so `g` is above all. */
const candidates = sql`
  case when returns.order_id is null and typed.number is not null then
    coalesce((select json_agg(json_build_object('id', id, 'status', status, 'placed_at', placed_at))
      from (select id, status, placed_at from orders
        where id >= typed.number and id < typed.number || 'g' and ${isEmailOfBuyer(sql`returns.email`)}
        order by placed_at desc limit 5) as found), '[]')
  else '[]' end`

const select = (candidatesOrNone: typeof candidates) => sql`
  select ${columns}, ${lines} as lines, ${candidatesOrNone} as candidates,
    (select orders.status from orders where orders.id = returns.order_id) as order_status
  from returns cross join lateral (select ${typedNumber} as number) typed`

/** Open withdrawals first, because the law sets a time for them; then open returns, the oldest first; then the newest. */
export async function listReturns(db: Kysely<Database>, query: ReturnQuery): Promise<Page<ListedReturn>> {
  const { limit, offset } = toLimitOffset(query)
  const matching = query.status ? sql`status = ${query.status}` : sql`true`
  const isOpen = sql`status in ('requested', 'approved')`
  const sorted = sql`order by ${isOpen} desc, ${isOpen} and is_withdrawal desc, case when ${isOpen} then requested_at end,
    requested_at desc, id`
  const ids = sql`select id from returns where ${matching} ${sorted} limit ${limit} offset ${offset}`
  const [{ rows }, counted] = await Promise.all([
    // Postgres would also compute the items of the returns that the offset skips.
    sql<ListedReturn>`${select(candidates)} where returns.id = any(array(${ids})) ${sorted}`.execute(db),
    sql<{ total: number }>`select count(*)::integer as total from returns where ${matching}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Oldest first. */
export async function listReturnsOfOrder(db: Kysely<Database>, orderId: string): Promise<ListedReturn[]> {
  const found = sql<ListedReturn>`${select(sql`'[]'::json`)} where order_id = ${orderId} order by requested_at, id`
  return (await found.execute(db)).rows
}

/** Returns whether the buyer of an order has this email, which is in lower case. */
export async function isOrderOfEmail(db: Kysely<Database>, orderId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from orders where id = ${orderId} and ${isEmailOfBuyer(sql`${email}`)}`.execute(db)
  return rows.length > 0
}

/** Returns the return, or the withdrawal, with this idempotency key. */
export const findReturnByKey = (db: Kysely<Database>, key: string): Promise<ReturnRow | undefined> =>
  db.selectFrom('returns').select(returnColumns).where('idempotency_key', '=', key).executeTakeFirst()

export async function findReturn(db: Kysely<Database>, id: string): Promise<ListedReturn | undefined> {
  const found = sql<ListedReturn>`${select(candidates)} where returns.id = ${id}`
  return (await found.execute(db)).rows[0]
}

/**
 * Returns the pieces by line that cannot be requested again: those that came back, for any return or without one, and those
 * that open returns still wait for. A closed return waits for nothing.
 */
export async function findTakenPieces(db: Kysely<Database>, orderId: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ line_number: number; pieces: number }>`
    select line_number, sum(pieces)::integer as pieces from (
      select line_number, greatest(0, pieces - ${refundedPieces}) as pieces
      from returns join return_lines line on return_id = returns.id
      where order_id = ${orderId} and status in ('requested', 'approved')
      union all
      select line_number, pieces from refunds join refund_lines on refund_id = refunds.id
      where order_id = ${orderId} and kind = 'return'
    ) as taken group by line_number`.execute(db)
  return new Map(rows.map(({ line_number, pieces }) => [line_number, pieces]))
}

/** Whether a withdrawal is open although its order was cancelled, and refunded in full if paid. */
export const hasNothingToDecide = sql<boolean>`
  is_withdrawal and returns.status in ('requested', 'approved') and exists (
    select from orders where orders.id = returns.order_id
      and (orders.status = 'cancelled' or orders.status = 'refunded' and refunded_cents = amount_cents))`

/**
 * Returns the ids of orders that must not be packed: a withdrawal waits for an admin, or is approved with items that are
 * neither shipped nor refunded. An approved withdrawal of shipped items does not hold back the rest of the order.
 */
export async function listWithdrawn(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from returns where is_withdrawal and order_id is not null and (status = 'requested'
      or status = 'approved' and (not exists (select from return_lines where return_id = returns.id)
        or exists (select from return_lines line join order_lines ordered using (line_number)
          where line.return_id = returns.id and ordered.order_id = returns.order_id and shipment_id is null
            and line.pieces > ${refundedPieces})))`.execute(db)
  return rows.map(({ order_id }) => order_id)
}

/**
 * Returns whether a return, or a withdrawal, of one of these lines or of the whole order is requested or approved.
 *
 * @param since ignores those that were requested earlier
 */
export async function hasOpenReturn(
  db: Kysely<Database>,
  orderId: string,
  lines: number[],
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from returns
    where order_id = ${orderId} and status in ('requested', 'approved') and requested_at >= ${since}
      and (not exists (select from return_lines where return_id = returns.id)
        or exists (select from return_lines where return_id = returns.id and line_number = any(${lines}::integer[])))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the orders of these returns, by their ids. */
export async function findOrderIdsOfReturns(
  db: Kysely<Database>,
  ids: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; order_id: string }>`
    select id, order_id from returns where id = any(${ids}::text[]) and order_id is not null`.execute(db)
  return new Map(rows.map(({ id, order_id }) => [id, order_id]))
}

/** Counts the open returns and withdrawals. */
export async function countOpenReturns(
  db: Kysely<Database>,
): Promise<{ returns: number; withdrawals: number }> {
  const { rows } = await sql<{ returns: number; withdrawals: number }>`
    select count(*) filter (where not is_withdrawal)::integer as returns,
      count(*) filter (where is_withdrawal)::integer as withdrawals
    from returns where status in ('requested', 'approved')`.execute(db)
  return rows[0] ?? { returns: 0, withdrawals: 0 }
}

/** Returns whether all items of a return are refunded. One without items is for the whole order. */
export async function isRefunded(db: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from returns join orders on orders.id = order_id
    where returns.id = ${id} and not exists (
      select from return_lines line where return_id = returns.id and pieces > ${refundedPieces})
      and (exists (select from return_lines where return_id = returns.id) or orders.pieces = (
        select coalesce(sum(f.pieces), 0) from refunds join refund_lines f on f.refund_id = refunds.id
        where refunds.order_id = orders.id))`.execute(db)
  return rows.length > 0
}
