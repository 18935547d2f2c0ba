import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { OrderOptions, Purchase } from '../../../contract/orders.ts'
import type { Database, OrderEventsTable, OrdersTable } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'

interface NewOrder {
  id: string
  buyer: Actor
  /** If name or phone is empty, that of the profile is used. */
  purchase: Purchase
  /** The total that the buyer agreed to pay. */
  amountCents: number
  idempotencyKey: string | null
  placedAt?: Date | undefined
}

/**
 * Takes the stock and inserts the order in one statement. The update locks the product's row, so that the same piece
 * is not sold twice.
 *
 * @returns false, without any change, if stock, minimum or price do not match
 * @throws a violation of `orders_idempotency_key` if the idempotency key was used before
 */
export async function placeOrder(db: Kysely<Database>, order: NewOrder): Promise<boolean> {
  const { placedAt = new Date(), purchase, amountCents } = order
  const { customerId, ip } = order.buyer
  const { rows } = await sql`
    with taken as (
      update products set stock = stock - ${purchase.quantity}::integer
      where id = ${purchase.productId} and deleted_at is null
        and stock >= ${purchase.quantity}::integer
        and minimum_quantity <= ${purchase.quantity}::integer
        and price_cents::bigint * ${purchase.quantity}::integer = ${amountCents}::integer
      returning id, name, image, price_cents
    ), placed as (
      insert into orders (id, customer_id, status, amount_cents, customer_email, customer_name, customer_phone,
        shipping_address, idempotency_key, placed_at)
      select ${order.id}, customers.id, 'unpaid', ${amountCents}::integer, email,
        coalesce(nullif(${purchase.customerName ?? ''}::text, ''), customers.name),
        coalesce(nullif(${purchase.customerPhone ?? ''}::text, ''), phone),
        ${purchase.customerAddress}, ${order.idempotencyKey}::text, ${placedAt}::timestamptz
      from taken, customers where customers.id = ${customerId}
      returning id
    ), noted as (
      insert into order_events (order_id, kind, actor_id, client_ip, occurred_at)
      select id, 'placed', ${customerId}, ${ip}::inet, ${placedAt}::timestamptz
      from placed
    ), line as (
      insert into order_lines (order_id, line_number, product_id, product_name, product_image, unit_price_cents, quantity)
      select placed.id, 1, taken.id, name, image, price_cents, ${purchase.quantity}::integer from placed, taken
    ), moved as (
      insert into stock_movements (product_id, kind, quantity, order_id, moved_by, client_ip, created_at)
      select taken.id, 'sale', -${purchase.quantity}::integer, placed.id, ${customerId},
        ${ip}::inet, ${placedAt}::timestamptz
      from placed, taken
    )
    select id from placed`.execute(db)
  return rows.length === 1
}

/** Returns the order's row and locks it until the end of the transaction. */
export function lockOrder(db: Kysely<Database>, id: string): Promise<Selectable<OrdersTable> | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Marks a locked order as paid by a payment of a provider. */
export async function markPaid(
  db: Kysely<Database>,
  id: string,
  payment: { provider: string; id: string },
  paidAt = new Date(),
): Promise<void> {
  await db
    .updateTable('orders')
    .set({ status: 'paid', payment_provider: payment.provider, transaction_id: payment.id, paid_at: paidAt })
    .where('id', '=', id)
    .execute()
  await addEvent(db, id, 'paid', { occurred_at: paidAt })
}

/** Marks a paid order as shipped. Returns false if it is not paid, or shipped already. */
export async function markShipped(
  db: Kysely<Database>,
  id: string,
  shippedBy: Actor | null,
  shippedAt = new Date(),
): Promise<boolean> {
  const { rows } = await sql`
    with shipped as (
      update orders set status = 'shipped', shipped_at = ${shippedAt}::timestamptz
      where id = ${id} and status = 'paid'
      returning id
    ), noted as (
      insert into order_events (order_id, kind, actor_id, client_ip, occurred_at)
      select id, 'shipped', ${shippedBy?.customerId ?? null}::text, ${shippedBy?.ip ?? null}::inet,
        ${shippedAt}::timestamptz
      from shipped
    )
    select id from shipped`.execute(db)
  return rows.length === 1
}

/**
 * Cancels a locked order and returns its stock, also that of a deleted product.
 *
 * @param cancelledBy null if the order was not paid in time
 * @returns false if the order has a payment that can still succeed or has succeeded
 */
export async function cancelOrder(
  db: Kysely<Database>,
  id: string,
  cancelledBy: Actor | null,
): Promise<boolean> {
  const { customerId, ip } = cancelledBy ?? { customerId: null, ip: null }
  const { rows } = await sql`
    with cancelled as (
      update orders set status = 'cancelled', cancelled_at = now()
      where id = ${id} and not exists (
        select from payments where order_id = ${id} and payments.status in ('open', 'processing', 'succeeded')
      )
      returning id
    ), noted as (
      insert into order_events (order_id, kind, actor_id, client_ip)
      select id, ${cancelledBy === null ? 'expired' : 'cancelled'}, ${customerId}::text, ${ip}::inet
      from cancelled
    ), released as (
      insert into stock_movements (product_id, kind, quantity, order_id, moved_by, client_ip)
      select product_id, 'release', quantity, order_id, ${customerId}::text, ${ip}::inet
      from order_lines join cancelled on cancelled.id = order_id
      returning product_id, quantity
    ), restocked as (
      update products set stock = stock + released.quantity
      from released where products.id = released.product_id
    )
    select id from cancelled`.execute(db)
  return rows.length === 1
}

/**
 * Claims an expired unpaid order for a minute, so that no other process cancels it too. Unclaimed orders come first,
 * then the oldest.
 */
export async function claimExpiredOrder(
  db: Kysely<Database>,
  unpaidOrderHours: number,
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    update orders set expiry_checked_at = now() where id = (
      select id from orders
      where status = 'unpaid' and expires and placed_at < now() - ${unpaidOrderHours}::float8 * interval '1 hour'
        and (expiry_checked_at < now() - interval '1 minute') is not false
      order by expiry_checked_at nulls first, placed_at limit 1 for update skip locked
    )
    returning id`.execute(db)
  return rows[0]
}

/** Exempts an order from expiring. */
export async function neverExpire(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('orders').set({ expires: false }).where('id', '=', id).execute()
}

/** Sets size and colour of an order. Returns false if it is shipped or cancelled. */
export async function setOptions(
  db: Kysely<Database>,
  id: string,
  options: OrderOptions,
  setBy: Actor,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('order_lines')
    .from('orders')
    .set({ size: options.size ?? null, colour: options.colour ?? null })
    .whereRef('orders.id', '=', 'order_lines.order_id')
    .where('order_id', '=', id)
    .where('status', 'in', ['unpaid', 'paid'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await addEvent(db, id, 'options', { actor_id: setBy.customerId, client_ip: setBy.ip })
  return true
}

/** @param more the actor and the time, unless the event is automatic and happens now */
export async function addEvent(
  db: Kysely<Database>,
  orderId: string,
  kind: OrderEventsTable['kind'],
  more: Partial<Insertable<OrderEventsTable>> = {},
): Promise<void> {
  await db
    .insertInto('order_events')
    .values({ order_id: orderId, kind, actor_id: null, ...more })
    .execute()
}
