import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type OrderFileColumn,
  type OrderFileQuery,
  orderFileColumns,
} from '../../../../contract/order-file.ts'
import type { OrderTab } from '../../../../contract/order-status.ts'
import {
  maxOrderCount,
  type OrderCountQuery,
  type OrderFilters,
  type WorkListQuery,
} from '../../../../contract/work-lists.ts'
import type { Database } from '../../../../db/schema.ts'
import {
  guardFormulas,
  inlineParameters,
  isoTime,
  selectColumns,
  toDollarsSql,
} from '../../../platform/database/csv-export.ts'
import { selectPage } from '../queries.ts'
import { isFound } from '../search/queries.ts'

/**
 * The tabs. `condition`: not with parameters, because a prepared statement would not use the partial indexes. A paid order
 * has open pieces, or else it is shipped or refunded (decision 65). `enteredAt`: when an order came into the list.
 */
const tabs: Record<OrderTab, { condition: RawBuilder<SqlBool>; enteredAt: RawBuilder<Date> }> = {
  'to-ship': { condition: sql`orders.status = 'paid'`, enteredAt: sql`paid_at` },
  unpaid: { condition: sql`orders.status = 'unpaid'`, enteredAt: sql`orders.placed_at` },
  shipped: { condition: sql`orders.status = 'shipped'`, enteredAt: sql`shipped_at` },
  cancelled: { condition: sql`orders.status in ('cancelled', 'refunded')`, enteredAt: sql`cancelled_at` },
  all: { condition: sql`orders.status <> 'cancelled'`, enteredAt: sql`orders.placed_at` },
}

/** The conditions of the filters, beside the tab. */
function listFilters({ q, from, to, tag }: OrderFilters): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (from) conditions.push(sql`orders.placed_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`orders.placed_at < ${to}::timestamptz`)
  if (q) conditions.push(isFound(q))
  if (tag) {
    conditions.push(sql`orders.id = any(array(
      select order_id from order_documents
      where document @@ (select ('''' || word || '''')::tsquery
        from unnest(note_tags('#' || ltrim(${tag}, '#'))) as word limit 1)))`)
  }
  return conditions
}

/** The condition of a tab with filters, for other statements about the same orders. */
const toCondition = (tab: OrderTab, filters: OrderFilters): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join([tabs[tab].condition, ...listFilters(filters)], sql` and `)})`

/**
 * Returns a page of a work list with the tags of each order. Counts up to 10,000 orders.
 *
 * @returns `isCounted`: whether `total` is exact
 */
export async function listWork(db: Kysely<Database>, query: WorkListQuery) {
  const { tab = 'all' } = query
  const matches = db.selectFrom('orders').where(toCondition(tab, query))
  const sort = query.sort ?? (tab === 'to-ship' ? 'paid_at' : undefined)
  const page = selectPage(db, matches, query, sort).select(
    sql<string[]>`array(
      select distinct tag from staff_notes, unnest(note_tags(body)) as tag
      where order_id = orders.id and removed_at is null order by tag)`.as('tags'),
  )
  const capped = matches.select('id').limit(maxOrderCount + 1)
  const [rows, { total }] = await Promise.all([
    page.execute(),
    db
      .selectFrom(capped.as('capped'))
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Math.min(total, maxOrderCount), isCounted: total <= maxOrderCount }
}

/** Counts the orders of all tabs with the same filters, and those that came into one tab later. */
export async function countWork(db: Kysely<Database>, { tab = 'all', since, ...filters }: OrderCountQuery) {
  // A search for a frequent word reads most orders, so it runs once for all tabs. Without one, each tab has its index.
  const isSearch = Boolean(filters.q || filters.tag)
  const found = isSearch
    ? sql`with found as materialized (
        select status, placed_at, paid_at, shipped_at, cancelled_at from orders
        where ${sql.join(listFilters(filters), sql` and `)})`
    : sql``
  const ofTab = (each: OrderTab, later = sql`true`) =>
    sql`from ${isSearch ? sql`found as orders` : sql`orders`}
      where ${isSearch ? tabs[each].condition : toCondition(each, filters)} and ${later}`
  const exact = (each: OrderTab) => sql`(select count(*) ${ofTab(each)})`
  const capped = (each: OrderTab, later?: RawBuilder<unknown>) =>
    sql`(select count(*) from (select ${ofTab(each, later)} limit ${maxOrderCount}) as capped)`
  const newer = since ? capped(tab, sql`${tabs[tab].enteredAt} > ${since}::timestamptz`) : sql`null::bigint`
  const { rows } = await sql<{
    to_ship: number
    unpaid: number
    shipped: number
    cancelled: number
    all: number
    newer: number | null
    at: Date
  }>`
    ${found} select ${exact('to-ship')} as to_ship, ${exact('unpaid')} as unpaid, ${capped('shipped')} as shipped,
      ${capped('cancelled')} as cancelled, ${capped('all')} as "all", ${newer} as newer, now() as at`.execute(
    db,
  )
  const [counts] = rows
  if (!counts) throw new Error('a query without tables returned no row')
  return counts
}

/** Counts the orders that wait for work. `oldestToShip`: when it was paid, in ISO 8601. */
export async function countOpenOrders(
  db: Kysely<Database>,
): Promise<{ toShip: number; oldestToShip: string | undefined; unpaid: number; newOrders: number }> {
  const of = (tab: OrderTab) => sql`from orders where ${tabs[tab].condition}`
  const { rows } = await sql<{ toShip: number; oldest: Date | null; unpaid: number; newOrders: number }>`
    select (select count(*)::integer ${of('to-ship')}) as "toShip", (select min(paid_at) ${of('to-ship')}) as oldest,
      (select count(*)::integer ${of('unpaid')}) as unpaid,
      (select count(*)::integer ${of('all')} and placed_at > now() - interval '1 day') as "newOrders"`.execute(
    db,
  )
  const { oldest = null, ...counts } = rows[0] ?? { toShip: 0, unpaid: 0, newOrders: 0 }
  return { ...counts, oldestToShip: oldest?.toISOString() }
}

const fileColumns: Record<OrderFileColumn, string> = {
  order: 'orders.id',
  number: 'left(orders.id, 6)',
  placed_at: isoTime('placed_at'),
  paid_at: isoTime('paid_at'),
  shipped_at: isoTime('shipped_at'),
  status: 'status',
  name: guardFormulas('customer_name'),
  email: guardFormulas('customer_email'),
  country: 'ship_country',
  region: guardFormulas('ship_region'),
  postal_code: 'ship_postal_code',
  city: guardFormulas('ship_city'),
  line: 'line',
  kind: 'kind',
  part_number: 'sku',
  product: guardFormulas('product'),
  size: 'size',
  colour: guardFormulas('colour'),
  quantity: 'quantity',
  unit_price: toDollarsSql('unit_cents'),
  total: toDollarsSql('entry_cents'),
  tax: toDollarsSql('tax_cents'),
  transaction_id: guardFormulas('transaction_id'),
}
const fileFormat = {
  values: fileColumns,
  codes: ['order', 'number', 'postal_code', 'part_number', 'size'],
  amounts: ['unit_price', 'total', 'tax'],
} as const

/**
 * Returns the query of the lines and charges of orders for a CSV file, oldest order first. The rows of an order add up to
 * its amount: included tax has no total of its own.
 */
export function exportOrderLines(db: Kysely<Database>, query: OrderFileQuery): string {
  const { tab = 'all', decimals } = query
  const rows = sql`
    select ${selectColumns(orderFileColumns, fileFormat, decimals)}
    from orders cross join lateral (
      select line_number as line, 'item' as kind, sku, product_name as product, size, colour, quantity,
        unit_price_cents as unit_cents, unit_price_cents::bigint * quantity as entry_cents, null::integer as tax_cents
      from order_lines where order_id = orders.id
      union all
      select (line_count + number)::integer, kind, null, label, null, null, null, null,
        case when is_included then 0 else amount_cents end, case kind when 'tax' then amount_cents end
      from order_charges where order_id = orders.id
    ) as entry
    where ${toCondition(tab, query)}
    order by orders.placed_at nulls first, orders.id, line`
  return inlineParameters(db, rows)
}
