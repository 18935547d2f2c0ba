import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { OrderOptions, OrderQuery, orderSorts } from '../../../contract/orders.ts'
import type { Database, OrderLinesTable, OrdersTable } from '../../../db/schema.ts'
import { containing, type Page, pageOf, sortOf } from '../../platform/page.ts'

/** An order with its one line. */
export type Order = Selectable<OrdersTable> & Omit<Selectable<OrderLinesTable>, 'order_id' | 'line_number'>

const sortColumns = {
  date: sql.ref('placed_at'),
  productName: sql`lower(product_name)`,
  quantity: sql.ref('quantity'),
  amount: sql.ref('amount_cents'),
  customerEmail: sql.ref('customer_email'),
} as const satisfies Record<(typeof orderSorts)[number], Expression<unknown>>

const visibleOrders = (db: Kysely<Database>) => db.selectFrom('orders').where('status', '<>', 'cancelled')

const withLine = (orders: SelectQueryBuilder<Database, 'orders', object>) =>
  orders.innerJoin('order_lines', (join) =>
    join.onRef('order_lines.order_id', '=', 'orders.id').on('line_number', '=', 1),
  )

function matching(query: OrderQuery) {
  return (eb: ExpressionBuilder<Database, 'orders'>) => {
    const conditions: Expression<SqlBool>[] = []
    if (query.email !== undefined) {
      const owner = eb.selectFrom('customers').select('id').where('email', '=', query.email.toLowerCase())
      conditions.push(eb('customer_id', '=', owner))
    }
    if (query.payment) conditions.push(eb('status', query.payment === 'true' ? '<>' : '=', 'unpaid'))
    if (query.shipment !== undefined) conditions.push(eb('status', query.shipment ? '=' : '<>', 'shipped'))
    if (query.q) conditions.push(eb('orders.id', 'in', idsWith(eb, query.q)))
    return eb.and(conditions)
  }
}

/** Orders of a product, of a customer or with a number: a union, so that each part finds its own index. */
function idsWith(eb: ExpressionBuilder<Database, 'orders'>, q: string) {
  const pattern = containing(q)
  const ofProduct = eb
    .selectFrom('order_lines')
    .select('order_id as id')
    .where('product_name', 'ilike', pattern)
  const ofCustomer = eb
    .selectFrom('orders')
    .select('id')
    .where((of) => of.or([of('customer_name', 'ilike', pattern), of('customer_email', 'ilike', pattern)]))
  const named = ofProduct.unionAll(ofCustomer)
  const number = /^#?([0-9a-f]{1,24})$/.exec(q.toLowerCase())?.[1]
  if (!number) return named
  // The digits of an id end with f: what begins with the number sorts before the number and a g.
  return named.unionAll(
    eb.selectFrom('orders').select('id').where('id', '>=', number).where('id', '<', `${number}g`),
  )
}

/** Orders that are not cancelled, newest first where no sort is asked for. */
export async function listOrders(db: Kysely<Database>, query: OrderQuery): Promise<Page<Order>> {
  const { limit, offset } = pageOf(query)
  const matches = visibleOrders(db).where(matching(query))
  let rows = withLine(matches).selectAll().limit(limit).offset(offset)
  if (query.sort) {
    const { field, direction } = sortOf<keyof typeof sortColumns>(query.sort)
    // The sorts follow the indexes; an order whose date nobody knows is older than all others.
    rows = rows.orderBy(sortColumns[field], (order) =>
      field !== 'date'
        ? order[direction]()
        : direction === 'asc'
          ? order.asc().nullsFirst()
          : order.desc().nullsLast(),
    )
  }
  const count = matches.select((eb) => eb.fn.countAll<number>().as('total'))
  const [page, { total }] = await Promise.all([
    rows
      .orderBy('placed_at', (order) => order.desc().nullsLast())
      .orderBy('orders.id')
      .execute(),
    count.executeTakeFirstOrThrow(),
  ])
  return { rows: page, total }
}

/** An order in any state, cancelled ones too. */
export function findOrder(db: Kysely<Database>, id: string): Promise<Order | undefined> {
  return withLine(db.selectFrom('orders')).selectAll().where('orders.id', '=', id).executeTakeFirst()
}

/** The customer's newest unpaid order of exactly this amount. */
export function findUnpaidOrderOfAmount(
  db: Kysely<Database>,
  customerId: string,
  amountCents: number,
): Promise<Order | undefined> {
  return withLine(visibleOrders(db))
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('status', '=', 'unpaid')
    .where('amount_cents', '=', amountCents)
    .orderBy('placed_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}

export function findOrderByKey(
  db: Kysely<Database>,
  customerId: string,
  idempotencyKey: string,
): Promise<{ id: string; product_id: string; quantity: number } | undefined> {
  return db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(['orders.id', 'product_id', 'quantity'])
    .where('customer_id', '=', customerId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
}

export interface NewOrder {
  id: string
  customerId: string
  productId: string
  quantity: number
  /** What the buyer agreed to pay. */
  amountCents: number
  /** Blank for the profile's. */
  name: string
  /** Blank for the profile's. */
  phone: string
  address: string
  idempotencyKey: string | null
}

/**
 * Takes the stock and keeps the order, in one statement: the product's row is locked by the update, so that the same
 * piece is never sold twice, and nothing is kept where stock, minimum or price do not match.
 *
 * @returns whether an order was placed
 * @throws a violation of `orders_once` where the key was used before
 */
export async function placeOrder(db: Kysely<Database>, order: NewOrder): Promise<boolean> {
  const { rows } = await sql`
    with taken as (
      update products set stock = stock - ${order.quantity}::integer
      where id = ${order.productId} and deleted_at is null
        and stock >= ${order.quantity}::integer
        and minimum_quantity <= ${order.quantity}::integer
        and price_cents::bigint * ${order.quantity}::integer = ${order.amountCents}::integer
      returning id, name, image, price_cents
    ), placed as (
      insert into orders (id, customer_id, status, amount_cents, customer_email, customer_name, customer_phone,
        shipping_address, idempotency_key)
      select ${order.id}, customers.id, 'unpaid', ${order.amountCents}::integer, email,
        coalesce(nullif(${order.name}::text, ''), customers.name), coalesce(nullif(${order.phone}::text, ''), phone),
        ${order.address}, ${order.idempotencyKey}::text
      from taken, customers where customers.id = ${order.customerId}
      returning id
    ), line as (
      insert into order_lines (order_id, line_number, product_id, product_name, product_image, unit_price_cents, quantity)
      select placed.id, 1, taken.id, name, image, price_cents, ${order.quantity}::integer from placed, taken
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, order_id, moved_by)
      select taken.id, 'sale', -${order.quantity}::integer, placed.id, ${order.customerId} from placed, taken
    )
    select id from placed`.execute(db)
  return rows.length === 1
}

export async function setPlacedAt(db: Kysely<Database>, id: string, placedAt: Date): Promise<void> {
  await db.updateTable('orders').set({ placed_at: placedAt }).where('id', '=', id).execute()
}

/** The order's own row, locked until the transaction ends. */
export function lockOrder(db: Kysely<Database>, id: string): Promise<Selectable<OrdersTable> | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function markPaid(db: Kysely<Database>, id: string, transactionId: string, paidAt = new Date()) {
  await db
    .updateTable('orders')
    .set({ status: 'paid', transaction_id: transactionId, paid_at: paidAt })
    .where('id', '=', id)
    .execute()
}

/** Marks a paid order as shipped; false where it is not paid, or shipped already. */
export async function markShipped(
  db: Kysely<Database>,
  id: string,
  shippedAt = new Date(),
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status: 'shipped', shipped_at: shippedAt })
    .where('id', '=', id)
    .where('status', '=', 'paid')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Cancels an order whose row is locked, and gives its stock back, to a deleted product too. */
export async function cancelOrder(db: Kysely<Database>, id: string, cancelledBy: string): Promise<void> {
  await sql`
    with cancelled as (
      update orders set status = 'cancelled', cancelled_at = now() where id = ${id} returning id
    ), released as (
      insert into stock_movements (product_id, kind, quantity, order_id, moved_by)
      select product_id, 'release', quantity, order_id, ${cancelledBy}
      from order_lines join cancelled on cancelled.id = order_id
      returning product_id, quantity
    )
    update products set stock = stock + released.quantity
    from released where products.id = released.product_id`.execute(db)
}

/** Keeps size and colour of an order that is not shipped yet; false where it is too late. */
export async function setOptions(db: Kysely<Database>, id: string, options: OrderOptions): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('order_lines')
    .from('orders')
    .set({ size: options.size ?? null, colour: options.colour ?? null })
    .whereRef('orders.id', '=', 'order_lines.order_id')
    .where('order_id', '=', id)
    .where('status', 'in', ['unpaid', 'paid'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
