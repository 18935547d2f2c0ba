import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Address } from '../../../contract/addresses.ts'
import type { OrderOptions } from '../../../contract/orders.ts'
import type { Database, OrderEventsTable } from '../../../db/schema.ts'
import type { Actor, Guest } from '../../platform/actor.ts'
import { APPLYING, COUNTING_ORDERS } from '../../platform/database/advisory-locks.ts'
import { minutelyLeaseMs } from '../../platform/jobs.ts'
import { expiresAt, isSold, orderColumns, orderedFit } from './queries.ts'
import type { OrderTerms, PricedCharge } from './rules.ts'

/** A line to order. */
export interface NewLine {
  /** Null: the first variant of the product that has enough stock. */
  variantId: string | null
  /** Null: any. Else the variant must belong to this product. */
  productId: string | null
  quantity: number
  /** The price of one piece that the buyer agreed to. */
  unitPriceCents: number
  /** Chosen for a product with standard options. A variant has its own. */
  size: string | null
  colour: string | null
  /** The bike that the line is for. The line keeps it, and whether it fits, if the shop has the bike and the part is not gear. */
  bikeId: number | null
  /** The amount that the buyer pays for the line, with its shares of the charges. */
  totalCents: number
  /** The tax in it. */
  taxCents: number
}

/** The admin who places an order for a caller, and the last day to pay it, counted from today. */
export interface PlacedBy extends Actor {
  payWithinDays: number
}

export interface NewOrder {
  id: string
  buyer: Actor | Guest
  /** Undefined: the buyer places it. */
  placedBy?: PlacedBy | undefined
  /** The email of a guest; null for a customer, who has one. */
  email: string | null
  /** If name or phone is empty, the profile's is used. */
  name: string
  phone: string
  address: string
  /** The parts of the address, if they are known. */
  shipping: Address | null
  note: string
  idempotencyKey: string | null
  /** The hash of the request, which a repeated one must have too. */
  requestHash: Buffer | null
  /** 1 to 50. Several lines may have the same variant. */
  lines: NewLine[]
  charges: PricedCharge[]
  isPickup: boolean
  /** The discount code that the order uses. */
  coupon: { id: string; isOncePerBuyer: boolean } | null
  /** A condition for the order, checked by the statement that places it. */
  condition: RawBuilder<boolean> | null
  /** The sum of lines and charges, which the buyer agreed to pay. */
  totalCents: number
  /** Whether each line of a product with standard options needs its size and colour. Else they may follow. */
  needsChoice: boolean
  /** Whether the lines leave the cart of the customer. */
  emptiesCart: boolean
  /** By default now, by the clock of the database. */
  placedAt?: Date | undefined
}

/**
 * While an import or new bikes change many products. The request then returns its connection quickly: as many buyers of
 * these products as there are connections must not make other requests wait.
 */
const lockTimeout = '200ms'

/** A condition that is always true. Must be in the statement that locks the products. */
const limitLockWait = sql`set_config('lock_timeout',
  case when pg_try_advisory_xact_lock_shared(${APPLYING}) then '0' else ${lockTimeout} end, true) is not null`

/** The limit of a customer who has a verified email. */
interface CustomerLimit {
  max: number
  /** The time in which an unpaid order counts. */
  hours: number
  /** A query with a row if the email of the customer is verified. */
  verifiedIdentity: RawBuilder<unknown>
}

/**
 * Takes the stock and inserts the order in one statement: all lines or none. Locks the products by id and then their
 * variants, and decides by the locked rows, so that the same piece is not sold twice (decision 38).
 * The new stock is computed from the locked row: the constraint on the stock is first checked with the version in the
 * snapshot, which may be older than a restock. The trigger `orders_use_coupon` counts the use of the coupon at the commit.
 * The subquery hides the number of lines, so that Postgres keeps the plan (see `anyOf`). Planning takes as long as the
 * order itself.
 *
 * @param limit of the customer's unpaid orders. Two orders can exceed it by one in the moment between snapshot and lock.
 * @param countedIp the IP of a buyer who counts for its network
 * @returns without any change, `changed` if a variant, its stock or minimum, a price or the total do not match or the
 * condition is false, and `limited` if the customer has no verified email, has reached the limit, or is placing another
 * order now
 * @throws a violation of a unique key in `place.ts` if the idempotency key was used before, and of `coupons_max_uses` if the
 * coupon was used up in the meantime
 */
export async function placeOrder(
  db: Kysely<Database>,
  order: NewOrder,
  { limit = null, countedIp = null }: { limit?: CustomerLimit | null; countedIp?: string | null } = {},
): Promise<'placed' | 'changed' | 'limited'> {
  const { placedAt = null, lines, charges, totalCents, coupon, shipping: parts } = order
  const chargedCents = charges.reduce((sum, charge) => sum + (charge.isIncluded ? 0 : charge.amountCents), 0)
  const hasCharges = charges.length > 0
  const { customerId } = order.buyer
  const author = order.placedBy ?? order.buyer
  const byGuest = author.customerId === null
  const fit = lines.some(({ bikeId }) => bikeId !== null)
    ? orderedFit({ productId: sql.ref('locked.product_id'), bikeId: sql.ref('request.bike_id') })
    : null
  const { rows } = await sql<{ is_open: boolean; is_placed: boolean }>`
    with gate as materialized (
      select ${limit === null}::boolean or (
        pg_try_advisory_xact_lock(${COUNTING_ORDERS}::integer, hashtext(${customerId}::text))
        and exists (${limit?.verifiedIdentity ?? sql`select where false`})
        and not exists (
          select from orders where customer_id = ${customerId}::text and status = 'unpaid' and placed_by is null
            and placed_at > now() - ${limit?.hours ?? null}::float8 * interval '1 hour'
          offset ${limit ? limit.max - 1 : null}::integer
        )
      ) as is_open
    ), request as materialized (
      select line_number::integer, quantity, unit_cents, total_cents, tax_cents, size, colour, bike_id, coalesce(variant_id, (
        select id from variants where variants.product_id = line.product_id and removed_at is null
          and stock >= quantity order by position, id limit 1)) as variant_id, product_id
      from unnest(
        (select ${lines.map((line) => line.variantId)}::text[]), ${lines.map((line) => line.productId)}::text[],
        ${lines.map((line) => line.quantity)}::integer[], ${lines.map((line) => line.unitPriceCents)}::integer[],
        ${lines.map((line) => line.size)}::text[], ${lines.map((line) => line.colour)}::text[],
        ${lines.map(({ bikeId }) => bikeId)}::integer[], ${lines.map(({ totalCents }) => (hasCharges ? totalCents : null))}::integer[],
        ${lines.map(({ taxCents }) => taxCents)}::integer[]
      ) with ordinality as line (variant_id, product_id, quantity, unit_cents, size, colour, bike_id, total_cents, tax_cents,
        line_number)
    ), totals as materialized (
      select variant_id, sum(quantity) as quantity from request group by variant_id
    ), locked_products as materialized (
      select id, name, image, price_cents, minimum_quantity, options, return_note is not null as has_return_note from products
      where id = any(array(select product_id from variants where id = any(array(select variant_id from totals)))) and ${isSold}
        and (select is_open from gate)
        and ${limitLockWait}
      order by id for no key update
    ), locked as materialized (
      select variants.id, variants.product_id, totals.quantity, stock, minimum_quantity, options, name, sku, size, colour,
        coalesce(variants.price_cents, product.price_cents) as unit_cents, coalesce(variants.image, product.image) as image,
        has_return_note
      from locked_products as product
        join variants on variants.product_id = product.id
        join totals on totals.variant_id = variants.id
      where removed_at is null
      for no key update of variants
    ), accepted as materialized (
      select sum(request.quantity) as pieces, count(*) as lines
      from request left join locked on locked.id = request.variant_id
      having bool_and(locked.quantity between minimum_quantity and stock) and count(locked.id) = count(*)
        and bool_and(coalesce(request.product_id, locked.product_id) = locked.product_id)
        and bool_and(request.unit_cents = locked.unit_cents)
        and bool_and(not ${order.needsChoice} or options <> 'standard' or (request.size, request.colour) is not null)
        and bool_and(options <> 'variants' or coalesce(request.size, locked.size) is not distinct from locked.size
          and coalesce(request.colour, locked.colour) is not distinct from locked.colour)
        and sum(locked.unit_cents::bigint * request.quantity) + ${chargedCents}::integer = ${totalCents}::integer
        and ${order.condition ?? sql`true`}
    ), placed as (
      insert into orders (id, customer_id, status, amount_cents, pieces, line_count, customer_email, customer_name,
        customer_phone, shipping_address, ship_line1, ship_line2, ship_city, ship_region, ship_postal_code,
        ship_country, note, idempotency_key, guest_request_key, counted_ip, request_hash, is_pickup,
        coupon_id, coupon_once, placed_at, is_indexed, placed_by, pay_by)
      select ${order.id}, customers.id, 'unpaid', ${totalCents}::integer, pieces, lines, coalesce(${order.email}, email),
        coalesce(nullif(${order.name}::text, ''), customers.name, ''),
        coalesce(nullif(${order.phone}::text, ''), phone, ''),
        ${order.address}, ${parts?.line1 ?? null}::text, ${parts?.line2 ?? null}::text, ${parts?.city ?? null}::text,
        ${parts?.region ?? null}::text, ${parts?.postalCode ?? null}::text, ${parts?.country ?? null}::text,
        ${order.note}, ${order.idempotencyKey}::text, ${hasGuestKey(order) ? order.idempotencyKey : null}::text, ${countedIp}::inet,
        ${order.requestHash}::bytea, ${order.isPickup}::boolean,
        ${coupon?.id ?? null}::text, ${coupon?.isOncePerBuyer ?? false}::boolean, coalesce(${placedAt}::timestamptz, now()), true,
        ${order.placedBy?.customerId ?? null}::text, ${order.placedBy ? toPayBy(order.placedBy.payWithinDays) : null}::timestamptz
      from accepted left join customers on customers.id = ${customerId}::text
      where ${customerId === null} or customers.id is not null
      returning id, placed_at, customer_name, customer_email, customer_phone, shipping_address, ship_postal_code, note
    ), documented as (
      insert into order_documents (order_id, placed_at, document)
      select id, placed_at, order_document(
        concat_ws(' ', customer_name, shipping_address, replace(ship_postal_code, ' ', ''), note, names),
        customer_email, customer_phone, skus, variant_ids, '{}')
      from placed, (
        select string_agg(name, ' ') as names, array_agg(sku) as skus, array_agg(id) as variant_ids from locked
      ) as ordered
    ), noted as (
      insert into order_events (order_id, kind, actor_id, by_guest, client_ip, occurred_at)
      select id, 'placed', ${author.customerId}::text, ${byGuest}, ${author.ip}::inet, coalesce(${placedAt}::timestamptz, now())
      from placed
    ), added_lines as (
      insert into order_lines (order_id, line_number, product_id, variant_id, product_name, product_image, sku,
        unit_price_cents, quantity, options, size, colour, bike_id, fit_answer, fit_position,
        total_cents, tax_cents, has_return_note)
      select placed.id, line_number, locked.product_id, locked.id, name, image, sku, locked.unit_cents, request.quantity,
        options,
        case options when 'standard' then request.size else locked.size end,
        case options when 'standard' then request.colour else locked.colour end,
        ${fit ? sql`fit.bike_id, fit.answer, fit.position` : sql`null, null, null`}, total_cents, tax_cents, has_return_note
      from placed, request join locked on locked.id = request.variant_id
        ${fit ? sql`left join lateral (${fit}) as fit on true` : sql``}
    )${hasCharges ? addCharges(charges) : sql``}, taken as (
      update variants set stock = locked.stock - locked.quantity from locked, placed where variants.id = locked.id
    ), moved as (
      insert into stock_movements (variant_id, kind, quantity, order_id, moved_by, by_guest, client_ip, created_at)
      select locked.id, 'sale', -locked.quantity, placed.id, ${author.customerId}::text, ${byGuest}, ${author.ip}::inet,
        coalesce(${placedAt}::timestamptz, now())
      from placed, locked
    )${order.emptiesCart && customerId !== null ? emptyCart(customerId) : sql``}
    select is_open, exists (select from placed) as is_placed from gate`.execute(db)
  if (rows[0]?.is_placed) return 'placed'
  return rows[0]?.is_open ? 'changed' : 'limited'
}

/**
 * Whether the key of the request is unique among all orders, and stays when an account claims the order: the key of a guest,
 * and the key of an admin, which contains the admin.
 */
export const hasGuestKey = ({ buyer, placedBy }: Pick<NewOrder, 'buyer' | 'placedBy'>): boolean =>
  buyer.customerId === null || placedBy !== undefined

/** The end of a day in UTC, counted from today. The email of the buyer has the day and its time zone. */
const toPayBy = (days: number) => sql<Date>`(
  date_trunc('day', now(), 'UTC') + ${days + 1}::integer * interval '24 hours' - interval '1 second')`

/** The part of the statement that removes the ordered lines from the cart of the customer. */
const emptyCart = (customerId: string): RawBuilder<unknown> => sql`, cart_locked as materialized (
      select cart_lines.customer_id, cart_lines.variant_id, cart_lines.size, cart_lines.colour
      from placed, cart_lines
      where cart_lines.customer_id = ${customerId}::text
        and exists (
          select from request join locked on locked.id = request.variant_id
          where request.variant_id = cart_lines.variant_id and (options <> 'standard'
            or (cart_lines.size, cart_lines.colour) = (coalesce(request.size, ''), coalesce(request.colour, '')))
        )
      order by 2, 3, 4 for update of cart_lines
    ), cart_emptied as (
      delete from cart_lines using cart_locked as ordered
      where (cart_lines.customer_id, cart_lines.variant_id, cart_lines.size, cart_lines.colour)
        = (ordered.customer_id, ordered.variant_id, ordered.size, ordered.colour)
    )`

/** The part of the statement that inserts the charges of the order. */
const addCharges = (charges: PricedCharge[]): RawBuilder<unknown> => sql`, added_charges as (
      insert into order_charges (order_id, number, kind, label, amount_cents, is_included)
      select placed.id, number, kind, label, amount_cents, is_included
      from placed, unnest(
        ${charges.map(({ kind }) => kind)}::text[], ${charges.map(({ label }) => label)}::text[],
        ${charges.map(({ amountCents }) => amountCents)}::integer[],
        ${charges.map(({ isIncluded }) => isIncluded)}::boolean[]
      ) with ordinality as charge (kind, label, amount_cents, is_included, number)
    )`

/**
 * Locks the unpaid orders of customers, emails or networks against further ones until the transaction ends. Always in
 * the same order, and before any product. Waits no longer than an order waits for an import. Later statements of the
 * transaction wait for a migration like all others.
 */
export async function lockLimits(tx: Kysely<Database>, who: string[]): Promise<void> {
  await sql`
    with keys as materialized (
      select distinct hashtext(each) as key from unnest(${who}::text[]) as each
      where set_config('lock_timeout', ${lockTimeout}, true) is not null
      order by key
    ), locked as materialized (
      select pg_advisory_xact_lock(${COUNTING_ORDERS}::integer, key) from keys
    )
    select set_config('lock_timeout', '0', true) from (select count(*) from locked) as counted`.execute(tx)
}

/** Returns the order's row and locks it until the end of the transaction. */
export const lockOrder = (db: Kysely<Database>, id: string) =>
  db.selectFrom('orders').select(orderColumns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Marks a locked order as paid by a payment of a provider. */
export async function markPaid(
  db: Kysely<Database>,
  id: string,
  payment: { provider: string; id: string },
  paidAt?: Date,
): Promise<void> {
  const paid_at = paidAt ?? sql<Date>`now()`
  await db
    .updateTable('orders')
    .set({ status: 'paid', payment_provider: payment.provider, transaction_id: payment.id, paid_at })
    .where('id', '=', id)
    .execute()
  await addEvent(db, id, 'paid', paidAt && { occurred_at: paidAt })
}

/**
 * The first parts of a statement that changes an order and returns pieces to the stock, even of deleted products. They lock
 * the products by id.
 *
 * @param pieces a query with `variant_id`, `product_id` and `pieces`
 */
const lockStock = (pieces: RawBuilder<unknown>) => sql`
    returned as materialized (${pieces}), locked as materialized (
      select id from products where id in (select product_id from returned) and ${limitLockWait}
      order by id for no key update
    )`

/**
 * Always true: a condition of the update, so that the products are locked before it. An order with the same key or coupon
 * waits for the updated order, and has locked its own products by then.
 */
const isStockLocked = sql`(select count(*) from locked) is not null`

/** The last parts of the statement. They use the id of the order in `changed`. */
const returnStock = (kind: 'release' | 'return', by: Actor | Guest | null, refundId: string | null) => sql`
    moved as (
      insert into stock_movements (variant_id, kind, quantity, order_id, refund_id, moved_by, by_guest, client_ip)
      select variant_id, ${kind}, sum(pieces), changed.id, ${refundId}::text, ${by?.customerId ?? null}::text,
        ${isGuest(by)}, ${by?.ip ?? null}::inet
      from returned, changed group by variant_id, changed.id having sum(pieces) > 0
      returning variant_id, quantity
    ), restocked as (
      update variants set stock = stock + moved.quantity
      from moved, locked where variants.id = moved.variant_id and variants.product_id = locked.id
    )`

const isGuest = (by: Actor | Guest | null): boolean => by !== null && by.customerId === null

/**
 * Cancels a locked unpaid order, returns its stock and releases its coupon: at the commit, because nothing may be locked after
 * a coupon (the trigger `orders_release_coupon`).
 *
 * @param cancelledBy null if the order was not paid in time
 * @returns false if the order has a payment that can still succeed or has succeeded
 */
export async function cancelOrder(
  db: Kysely<Database>,
  id: string,
  cancelledBy: Actor | Guest | null,
): Promise<boolean> {
  const { customerId, ip } = cancelledBy ?? { customerId: null, ip: null }
  const lines = sql`select variant_id, product_id, quantity as pieces from order_lines where order_id = ${id}`
  const { rows } = await sql`
    with ${lockStock(lines)}, changed as (
      update orders set status = 'cancelled', cancelled_at = now(), has_released_coupon = coupon_id is not null
      where id = ${id} and ${isStockLocked} and not exists (
        select from payments where order_id = ${id} and payments.status in ('open', 'processing', 'succeeded')
      )
      returning id
    ), noted as (
      insert into order_events (order_id, kind, actor_id, by_guest, client_ip)
      select id, ${cancelledBy === null ? 'expired' : 'cancelled'}, ${customerId}::text, ${isGuest(cancelledBy)}, ${ip}::inet
      from changed
    ), ${returnStock('release', cancelledBy, null)}
    select id from changed`.execute(db)
  return rows.length === 1
}

/** The changes of a refund to its order. */
interface RefundOfOrder {
  refundId: string
  cents: number
  /** The new status; null: unchanged. */
  status: 'paid' | 'shipped' | 'refunded' | null
  by: Actor | Guest
}

/**
 * Applies a refund, whose lines are stored, to its locked order: returns its pieces to the stock, and at the commit releases
 * the coupon of an order that is refunded as a whole.
 */
export async function applyRefund(
  db: Kysely<Database>,
  id: string,
  { refundId, cents, status, by }: RefundOfOrder,
): Promise<void> {
  const pieces = sql`select variant_id, product_id, restocked as pieces
      from order_lines join refund_lines using (line_number) where order_id = ${id} and refund_id = ${refundId}`
  await sql`
    with ${lockStock(pieces)}, changed as (
      update orders set status = coalesce(${status}::text, status), refunded_cents = refunded_cents + ${cents}::integer,
        cancelled_at = case ${status}::text when 'refunded' then now() else cancelled_at end,
        shipped_at = case ${status}::text when 'shipped'
          then coalesce(shipped_at, (select max(shipped_at) from shipments where order_id = ${id}), now()) else shipped_at end,
        has_released_coupon = case ${status}::text when 'refunded' then coupon_id is not null else has_released_coupon end
      where id = ${id} and ${isStockLocked}
      returning id
    ), ${returnStock('return', by, refundId)}
    select id from changed`.execute(db)
}

/** Whether an unpaid order was not paid in time, by the clock of the database. */
const isLate = (terms: OrderTerms) => sql<boolean>`${expiresAt(terms)} < now()`

/** Returns whether the time to pay an order is over. */
export async function isExpired(db: Kysely<Database>, id: string, terms: OrderTerms): Promise<boolean> {
  const { rows } = await sql`select from orders where id = ${id} and ${isLate(terms)}`.execute(db)
  return rows.length === 1
}

/**
 * Claims an expired unpaid order, so that no other process cancels it too. Unclaimed orders come first, then the oldest.
 */
export async function claimExpiredOrder(
  db: Kysely<Database>,
  terms: OrderTerms,
): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    update orders set expiry_checked_at = now() where id = (
      select id from orders
      where status = 'unpaid' and expires and ${isLate(terms)}
        and (expiry_checked_at < now() - ${minutelyLeaseMs}::float8 * interval '1 millisecond') is not false
      order by expiry_checked_at nulls first, placed_at limit 1 for update skip locked
    )
    returning id`.execute(db)
  return rows[0]
}

/** Gives the buyer of a locked order by phone until the end of another day, counted from today. */
export async function extendPayment(db: Kysely<Database>, id: string, days: number): Promise<void> {
  await db
    .updateTable('orders')
    .set({ pay_by: toPayBy(days) })
    .where('id', '=', id)
    .execute()
}

/** Exempts an order from expiring. */
export async function neverExpire(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('orders').set({ expires: false }).where('id', '=', id).execute()
}

/**
 * Sets size, colour or both of a locked order with one product that had standard options when it was ordered.
 *
 * @returns false if it is another order
 */
export async function setOptions(db: Kysely<Database>, id: string, options: OrderOptions): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('order_lines')
    .from('orders')
    .set((eb) => ({
      size: options.size ?? eb.ref('order_lines.size'),
      colour: options.colour ?? eb.ref('order_lines.colour'),
    }))
    .whereRef('orders.id', '=', 'order_lines.order_id')
    .where('order_id', '=', id)
    .where('line_count', '=', 1)
    .where('options', '=', 'standard')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The columns that name the author of an event. */
export const toAuthor = (by: Actor | Guest) => ({
  actor_id: by.customerId,
  by_guest: isGuest(by),
  client_ip: by.ip,
})

/** @param more the author and the time, unless the event is automatic and happens now */
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

/**
 * Moves the guest orders with this email to a customer. Their keys become invalid, except the keys of orders by phone: a caller
 * pays by the link. Locks them by id.
 *
 * @returns the number of orders
 */
export async function claimGuestOrders(
  db: Kysely<Database>,
  { customerId, ip }: Actor,
  email: string,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with locked as materialized (
      select id from orders where customer_id is null and customer_email = ${email} and status <> 'cancelled'
      order by id for update
    ), claimed as (
      update orders set customer_id = ${customerId},
        key_version = key_version + (placed_by is null)::integer, idempotency_key = null,
        guest_request_key = coalesce(guest_request_key, idempotency_key)
      from locked where orders.id = locked.id and orders.customer_id is null
      returning orders.id
    )
    insert into order_events (order_id, kind, actor_id, client_ip)
    select id, 'claimed', ${customerId}::text, ${ip}::inet from claimed order by id`.execute(db)
  return Number(numAffectedRows)
}
