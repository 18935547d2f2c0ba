import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type NotNull,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { orderSorts } from '../../../contract/order-status.ts'
import type { OrderQuery } from '../../../contract/orders.ts'
import type { Database, OrdersTable } from '../../../db/schema.ts'
import { type Page, toLimitOffset, toSort } from '../../platform/http/paging.ts'
import { toBikeName } from '../bikes/service.ts'
import { verifiedIdentity } from '../customers/service.ts'
import type { OrderTerms } from './rules.ts'
import { isFound } from './search/queries.ts'
import { listStatuses } from './states.ts'

export { isSold } from '../catalog/service.ts'
export { orderedFit } from '../fitment/service.ts'

/** An order with its lines. `is_processing`: a payment is in progress at the provider. */
export type Order = NonNullable<Awaited<ReturnType<typeof findOrder>>>
/** An event of an order, with the actor's email. */
export type OrderEvent = Awaited<ReturnType<typeof listEvents>>[number]
const sortColumns = {
  date: sql.ref('placed_at'),
  productName: sql`lower(first.product_name)`,
  quantity: sql.ref('pieces'),
  amount: sql.ref('amount_cents'),
  customerEmail: sql.ref('customer_email'),
} as const satisfies Record<(typeof orderSorts)[number], Expression<unknown>>

/** The columns that code reads. Named, because a newer version may add some while this one runs (decision 46). */
export const orderColumns = [
  'id',
  'customer_id',
  'status',
  'amount_cents',
  'customer_email',
  'customer_name',
  'customer_phone',
  'shipping_address',
  'ship_line1',
  'ship_line2',
  'ship_city',
  'ship_region',
  'ship_postal_code',
  'ship_country',
  'note',
  'key_version',
  'pieces',
  'line_count',
  'payment_provider',
  'transaction_id',
  'placed_at',
  'paid_at',
  'shipped_at',
  'expires',
  'is_pickup',
  'refunded_cents',
  'slip_printed_at',
  'pay_by',
  'placed_by',
] as const satisfies (keyof OrdersTable)[]

/** The refunds of a line, added up. Joins to `order_lines`. */
export const refundedOfLine = (eb: ExpressionBuilder<Database, 'order_lines'>) => {
  const pieces = (kind: 'cancellation' | 'return') =>
    sql<number>`coalesce(sum(refund_lines.pieces) filter (where kind = ${sql.lit(kind)}), 0)::integer`
  return eb
    .selectFrom('refunds')
    .innerJoin('refund_lines', 'refund_lines.refund_id', 'refunds.id')
    .select([pieces('cancellation').as('cancelled_pieces'), pieces('return').as('returned_pieces')])
    .select(sql<number>`coalesce(sum(refund_lines.amount_cents), 0)::integer`.as('refunded_cents'))
    .whereRef('refunds.order_id', '=', 'order_lines.order_id')
    .whereRef('refund_lines.line_number', '=', 'order_lines.line_number')
    .as('refunded')
}

const chargeColumns = ['kind', 'label', 'amount_cents as amountCents', 'is_included as isIncluded'] as const

const visibleOrders = (db: Kysely<Database>) => db.selectFrom('orders').where('status', '<>', 'cancelled')

/** The orders with their lines, charges and marks. */
const withLines = (orders: SelectQueryBuilder<Database, 'orders', object>) =>
  orders.select(orderColumns).select((eb) => [
    jsonArrayFrom(
      eb
        .selectFrom('order_lines')
        .innerJoinLateral(refundedOfLine, (join) => join.onTrue())
        .select(['cancelled_pieces', 'returned_pieces', 'refunded_cents'])
        .select(['line_number', 'product_id', 'variant_id', 'product_name', 'product_image', 'sku'])
        .select('shipment_id')
        .select(['options', 'size', 'colour', 'quantity', 'unit_price_cents', 'total_cents'])
        .select(['bike_id', 'fit_answer', 'fit_position', toBikeName('order_lines.bike_id').as('bike')])
        .whereRef('order_lines.order_id', '=', 'orders.id')
        .orderBy('line_number'),
    ).as('lines'),
    jsonArrayFrom(
      eb
        .selectFrom('order_charges')
        .select(chargeColumns)
        .whereRef('order_charges.order_id', '=', 'orders.id')
        .orderBy('number'),
    ).as('charges'),
    eb
      .exists(
        eb
          .selectFrom('payments')
          .whereRef('payments.order_id', '=', 'orders.id')
          .where('payments.status', '=', 'processing'),
      )
      .$castTo<boolean>()
      .as('is_processing'),
  ])

function matching(query: OrderQuery, forStaff: boolean) {
  return (eb: ExpressionBuilder<Database, 'orders'>) => {
    const conditions: Expression<SqlBool>[] = []
    if (query.email !== undefined) {
      const email = query.email.toLowerCase()
      const owner = eb.selectFrom('customers').select('id').where('email', '=', email)
      const isOwn = eb('customer_id', '=', owner)
      const isGuestOrder = eb.and([eb('customer_id', 'is', null), eb('customer_email', '=', email)])
      conditions.push(forStaff ? eb.or([isOwn, isGuestOrder]) : isOwn)
    }
    const { payment, shipment } = query
    if (payment) conditions.push(eb('status', 'in', listStatuses({ payment: payment === 'true' })))
    if (shipment !== undefined) conditions.push(eb('status', 'in', listStatuses({ shipment })))
    // Not a parameter: a prepared statement would not use the index of the orders to ship.
    if (query.status) conditions.push(eb('status', '=', sql.lit(query.status)))
    if (query.q && forStaff) conditions.push(isFound(query.q))
    return eb.and(conditions)
  }
}

/**
 * Sorts by a field, then newest first. Matches the indexes. An order without a date counts as older than all others.
 *
 * @param sort `paid_at` sorts by the oldest payment, then by id
 */
function sortOrders<Row>(
  orders: SelectQueryBuilder<Database, 'orders', Row>,
  sort: OrderQuery['sort'] | 'paid_at',
) {
  if (sort === 'paid_at') return orders.orderBy('paid_at').orderBy('orders.id')
  let sorted = orders
  if (sort) {
    const { field, direction } = toSort<keyof typeof sortColumns>(sort)
    sorted = sorted.$if(field === 'productName', (named) =>
      named.innerJoin('order_lines as first', (join) =>
        join.onRef('first.order_id', '=', 'orders.id').on('first.line_number', '=', 1),
      ),
    )
    sorted = sorted.orderBy(sortColumns[field], (order) =>
      field !== 'date'
        ? order[direction]()
        : direction === 'asc'
          ? order.asc().nullsFirst()
          : order.desc().nullsLast(),
    )
  }
  return sorted.orderBy('placed_at', (order) => order.desc().nullsLast()).orderBy('orders.id')
}

/**
 * Returns a query of one page of sorted orders, with their lines. It finds the ids first. Otherwise Postgres would also
 * compute the lines of the skipped orders.
 */
export function selectPage(
  db: Kysely<Database>,
  matches: SelectQueryBuilder<Database, 'orders', object>,
  paging: { page?: number | undefined; pageSize?: number | undefined },
  sort: Parameters<typeof sortOrders>[1],
) {
  const { limit, offset } = toLimitOffset(paging)
  const ids = sortOrders(matches.select('orders.id'), sort).limit(limit).offset(offset)
  const page = db.selectFrom('orders').where('orders.id', '=', sql<string>`any(array(${ids}))`)
  return sortOrders(withLines(page), sort)
}

/**
 * Lists orders that are not cancelled, or only cancelled ones if the query asks for them; of one customer if it has an
 * email. By default newest first.
 *
 * @param forStaff also those that a guest placed with this email, and the search, which finds the words of notes
 */
export async function listOrders(
  db: Kysely<Database>,
  query: OrderQuery,
  { forStaff = false } = {},
): Promise<Page<Order>> {
  const orders = query.status === 'cancelled' ? db.selectFrom('orders') : visibleOrders(db)
  const matches = orders.where(matching(query, forStaff))
  const count = matches.select((eb) => eb.fn.countAll<number>().as('total'))
  const [rows, { total }] = await Promise.all([
    selectPage(db, matches, query, query.sort).execute(),
    count.executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

/** Returns an order in any status, including cancelled. */
export function findOrder(db: Kysely<Database>, id: string) {
  return withLines(db.selectFrom('orders')).where('orders.id', '=', id).executeTakeFirst()
}

/** Lists orders in any status. */
export const listOrdersById = (db: Kysely<Database>, ids: string[]): Promise<Order[]> =>
  withLines(db.selectFrom('orders')).where('orders.id', '=', sql<string>`any(${ids}::text[])`).execute()

/** Returns the customer's newest unpaid order of exactly this amount. */
export function findUnpaidOrderOfAmount(db: Kysely<Database>, customerId: string, amountCents: number) {
  return withLines(visibleOrders(db))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'unpaid')
    .where('amount_cents', '=', amountCents)
    .orderBy('placed_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}

/** @param customerId null: the order of a guest, even if an account has claimed it since */
export function findOrderByKey(db: Kysely<Database>, customerId: string | null, idempotencyKey: string) {
  const orders = db
    .selectFrom('orders')
    .select(['id', 'customer_id', 'key_version', 'amount_cents', 'request_hash'])
  if (customerId !== null) {
    return orders
      .where('customer_id', '=', customerId)
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirst()
  }
  return orders
    .where((eb) =>
      eb.or([
        eb('guest_request_key', '=', idempotencyKey),
        // From an older version.
        eb.and([eb('customer_id', 'is', null), eb('idempotency_key', '=', idempotencyKey)]),
      ]),
    )
    .executeTakeFirst()
}

/** Returns an order by phone with what its link depends on. */
export const findLinkedOrder = (db: Kysely<Database>, id: string) =>
  db
    .selectFrom('orders')
    .select(['id', 'key_version', 'amount_cents', 'pay_by'])
    .where('id', '=', id)
    .where('pay_by', 'is not', null)
    .$narrowType<{ pay_by: NotNull }>()
    .executeTakeFirst()

/** When an unpaid order expires, by the clock of the database. */
export const expiresAt = ({ unpaidOrderHours, unpaidGuestOrderMinutes }: OrderTerms) => sql<Date>`
  coalesce(pay_by, placed_at + case
    when customer_id is null then ${unpaidGuestOrderMinutes}::float8 * interval '1 minute'
    else ${unpaidOrderHours}::float8 * interval '1 hour' end)`

const scopeConditions = {
  customer: (id: string) => sql`customer_id = ${id}`,
  email: (email: string) => sql`customer_id is null and customer_email = ${email}`,
  // An index serves this range, but not `<<=` with a parameter.
  network: (network: string) => sql`counted_ip >= ${network}::inet
    and counted_ip <= set_masklen(broadcast(${network}::inet), case family(${network}::inet) when 4 then 32 else 128 end)`,
} satisfies Record<OrderLimit['scope'], (who: string) => RawBuilder<unknown>>

/** A maximum of unpaid orders that have not expired. */
export interface OrderLimit {
  scope: 'customer' | 'email' | 'network'
  /** A customer id, the email of guests, or an IP or IPv6 network of guests and unverified accounts. */
  who: string
  max: number
}

/** Returns null below a limit, or else the seconds until enough orders have expired. Orders by phone do not count. */
export async function findSecondsToWait(
  db: Kysely<Database>,
  { scope, who, max }: OrderLimit,
  terms: OrderTerms,
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil(extract(epoch from expires_at - now())))::integer as seconds
    from (
      select ${expiresAt(terms)} as expires_at from orders
      where status = 'unpaid' and placed_by is null and ${scopeConditions[scope](who)}
    ) as unpaid
    where expires_at > now() order by expires_at desc offset ${max - 1} limit 1`.execute(db)
  return rows[0]?.seconds ?? null
}

/**
 * Returns whether a product of the order had special return terms when it was ordered: then an admin decides. For an order of an
 * earlier version the terms of today count.
 */
export async function hasReturnNote(
  db: Kysely<Database>,
  orderId: string,
  lineNumbers?: number[],
): Promise<boolean> {
  const { rows } = await sql`
    select from order_lines join products on products.id = product_id
    where order_id = ${orderId} and coalesce(has_return_note, return_note is not null)
      and (${lineNumbers ?? null}::integer[] is null or line_number = any(${lineNumbers ?? null}::integer[]))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Lists the events of an order, oldest first. */
export function listEvents(db: Kysely<Database>, orderId: string) {
  return db
    .selectFrom('order_events')
    .leftJoin('customers', 'customers.id', 'actor_id')
    .select(['kind', 'actor_id', 'by_guest', 'reason', 'occurred_at', 'email', 'name'])
    .select((eb) =>
      eb
        .selectFrom('role_changes')
        .select('role_changes.role')
        .whereRef('role_changes.customer_id', '=', 'order_events.actor_id')
        .whereRef('role_changes.created_at', '<=', 'order_events.occurred_at')
        .orderBy('role_changes.id', 'desc')
        .limit(1)
        .as('staff_role'),
    )
    .where('order_id', '=', orderId)
    .orderBy('order_events.id')
    .execute()
}

/** Returns the orders of the subjects of emails: orders, shipments, refunds and events. */
export async function findOrderIds(db: Kysely<Database>, subjects: string[]): Promise<Map<string, string>> {
  const eventIds = subjects.filter((subject) => /^\d{1,18}$/.test(subject))
  const { rows } = await sql<{ subject: string; order_id: string }>`
    select id as subject, id as order_id from orders where id = any(${subjects}::text[])
    union all select id, order_id from shipments where id = any(${subjects}::text[])
    union all select id, order_id from refunds where id = any(${subjects}::text[])
    union all select id::text, order_id from order_events where id = any(${eventIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ subject, order_id }) => [subject, order_id]))
}

export const findRefundForEmail = (db: Kysely<Database>, id: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.order_id')
    .select(['refunds.order_id', 'refunds.amount_cents', 'refunds.kind', 'refunds.reason'])
    // Times of one transaction are equal. An earlier refund did not cancel the order, whenever its email is rendered.
    .select(
      sql<boolean>`refunds.kind = 'cancellation' and orders.status = 'refunded'
        and orders.cancelled_at = refunds.created_at`.as('cancels_order'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('refund_lines')
          .leftJoin('order_lines', (join) =>
            join
              .onRef('order_lines.order_id', '=', 'refunds.order_id')
              .onRef('order_lines.line_number', '=', 'refund_lines.line_number'),
          )
          .select(['product_name as name', 'pieces', 'amount_cents as amountCents'])
          .whereRef('refund_id', '=', 'refunds.id')
          // The refund of the rest also has the lines of which nothing is left.
          .where((line) => line.or([line('pieces', '>', 0), line('refund_lines.amount_cents', '>', 0)]))
          // The shipping is last.
          .orderBy((line) => line('refund_lines.line_number', '=', 0))
          .orderBy('refund_lines.line_number'),
      ).as('lines'),
    )
    .where('refunds.id', '=', id)
    .executeTakeFirst()

/** An order with all its lines, for an email. */
export type EmailedOrder = NonNullable<Awaited<ReturnType<typeof findOrderForEmail>>>

export async function findOrderForEmail(db: Kysely<Database>, id: string) {
  const order = await db
    .selectFrom('orders')
    .select(orderColumns)
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('order_events')
            .whereRef('order_id', '=', 'orders.id')
            .where('kind', '=', 'cancelled')
            .where((event) =>
              event.or([
                event('actor_id', '=', event.ref('orders.customer_id')),
                event('by_guest', '=', true),
              ]),
            ),
        )
        .$castTo<boolean>()
        .as('is_cancelled_by_buyer'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
  const lines = db
    .selectFrom('order_lines')
    .select(['line_number', 'product_name', 'product_image', 'sku', 'quantity', 'unit_price_cents'])
    .select(['size', 'colour'])
    .select(['bike_id', 'fit_answer', 'fit_position', toBikeName('order_lines.bike_id').as('bike')])
    .where('order_id', '=', id)
    .orderBy('line_number')
  const charges = db
    .selectFrom('order_charges')
    .select(chargeColumns)
    .where('order_id', '=', id)
    .orderBy('number')
  return order && { ...order, lines: await lines.execute(), charges: await charges.execute() }
}

export interface Recipient {
  email: string
  is_verified: boolean
  /** The IP of the order, if it counts for a network. */
  counted_ip: string | null
}

/**
 * Returns the recipient of emails about an order: the present email of its account if that is verified, or else the email of
 * the order. Undefined if the order has no email: imported orders may have none.
 */
export async function findRecipient(db: Kysely<Database>, id: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select lower(coalesce(customers.email, customer_email)) as email, customers.id is not null as is_verified,
      host(counted_ip) as counted_ip
    from orders left join customers
      on customers.id = customer_id and exists (${verifiedIdentity(sql.ref('orders.customer_id'))})
    where orders.id = ${id} and customer_email <> ''`.execute(db)
  return rows[0]
}

/** The columns of a delivery address. */
export type SentOrder = NonNullable<Awaited<ReturnType<typeof findLastSentOrder>>>

/**
 * Returns the customer's last paid order with an address in parts, unless it was cancelled. Before the email was verified,
 * a stranger may have placed unpaid ones.
 */
export function findLastSentOrder(db: Kysely<Database>, customerId: string) {
  return visibleOrders(db)
    .select(['customer_name', 'customer_phone', 'ship_line1', 'ship_line2', 'ship_city', 'ship_region'])
    .select(['ship_postal_code', 'ship_country'])
    .where('customer_id', '=', customerId)
    .where('ship_line1', 'is not', null)
    .where('paid_at', 'is not', null)
    .orderBy('placed_at', (order) => order.desc().nullsLast())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Counts the guest orders with this email that are not cancelled: lists show no others. */
export async function countGuestOrders(db: Kysely<Database>, email: string): Promise<number> {
  const { count } = await visibleOrders(db)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('customer_id', 'is', null)
    .where('customer_email', '=', email)
    .executeTakeFirstOrThrow()
  return count
}
