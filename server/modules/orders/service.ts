import type { Kysely } from 'kysely'
import { toDollars, toWholeCents } from '../../../contract/money.ts'
import { type OrderStatus, refuseTransition } from '../../../contract/order-status.ts'
import type { OrderOptions, Purchase } from '../../../contract/orders.ts'
import type { NewPaymentIntent } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller } from '../../http/access.ts'
import { inTransaction, isUniqueViolation, newId, retryTransient } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import * as catalog from '../catalog/service.ts'
import type { OrderEmails } from './emails.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { largestAmountCents, refusePurchase, smallestAmountCents } from './rules.ts'

export { type OrderEmails, openOrderEmails } from './emails.ts'
export { findOrder, listEvents, listOrders, type Order } from './queries.ts'
export { addEvent, cancelOrder, claimExpiredOrder, lockOrder, markPaid } from './repository.ts'

/**
 * Returns an order if this caller may see it.
 *
 * @throws ORDER_NOT_FOUND, also for another customer's order, and for a cancelled one unless it is included
 */
export async function requireOrder(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
  who: 'owner' | 'owner or admin',
  { includesCancelled = false } = {},
): Promise<queries.Order> {
  const order = await queries.findOrder(db, id)
  const isAllowed =
    order?.customer_id === caller.customerId || (who === 'owner or admin' && caller.role === 'admin')
  const isHidden = order?.status === 'cancelled' && !includesCancelled
  if (!order || !isAllowed || isHidden) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

/**
 * Returns the caller's unpaid order with this id, or else the newest one of exactly this amount in dollars.
 *
 * @throws ORDER_NOT_FOUND, AMOUNT_MISMATCH, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED
 */
export async function requirePayableOrder(
  db: Kysely<Database>,
  caller: Caller,
  { orderId, amount }: NewPaymentIntent,
): Promise<queries.Order> {
  const amountCents = toWholeCents(amount)
  // The column is an integer.
  const isPlausible = Number.isSafeInteger(amountCents) && Math.abs(amountCents) <= 2_147_483_647
  const order = orderId
    ? await requireOrder(db, caller, orderId, 'owner')
    : isPlausible && (await queries.findUnpaidOrderOfAmount(db, caller.customerId, amountCents))
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  requireTransition('pay', order.status)
  if (order.amount_cents !== amountCents) throw new ShopError('AMOUNT_MISMATCH')
  return order
}

/**
 * Places an order and takes its stock. Returns its id; the same idempotency key returns the same order.
 *
 * @param purchase `amount` in dollars, as shown to the buyer
 * @throws PRODUCT_NOT_FOUND, QUANTITY_NOT_MATCHED, OUT_OF_STOCK, ORDER_TOO_SMALL, ORDER_TOO_LARGE, PRICE_CHANGED (with
 * the present `amount`), IDEMPOTENCY_KEY_REUSED
 */
export async function placeOrder(
  db: Kysely<Database>,
  buyer: Actor,
  purchase: Purchase,
  idempotencyKey: string | null,
  placedAt?: Date,
): Promise<string> {
  const { productId, quantity } = purchase
  const amountCents = toWholeCents(purchase.amount)
  const order = { id: newId(), buyer, purchase, amountCents, idempotencyKey, placedAt }
  // Other amounts cannot be paid, and may not fit into the integer columns of the database.
  if (quantity > 0 && amountCents >= smallestAmountCents && amountCents <= largestAmountCents) {
    try {
      if (await retryTransient(db, () => repository.placeOrder(db, order))) return order.id
    } catch (error) {
      if (!isUniqueViolation(error, 'orders_idempotency_key')) throw error
    }
  }
  const details = { acknowledged: false }
  const placed = idempotencyKey && (await queries.findOrderByKey(db, buyer.customerId, idempotencyKey))
  if (placed) {
    if (placed.product_id === productId && placed.quantity === quantity) return placed.id
    throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details })
  }
  const product = await catalog.findProduct(db, productId)
  // If all matches now, stock or price have changed since the attempt: a retry would succeed.
  const code = refusePurchase(product, quantity, amountCents) ?? 'OUT_OF_STOCK'
  if (code !== 'PRICE_CHANGED' || !product) throw new ShopError(code, { details })
  const amount = toDollars(product.price_cents * quantity)
  throw new ShopError(code, { details: { ...details, amount } })
}

/**
 * Marks a paid order as shipped.
 *
 * @returns false if it was shipped already
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID
 */
export async function shipOrder(
  { db, orderEmails }: { db: Kysely<Database>; orderEmails: OrderEmails | null },
  caller: Caller,
  id: string,
): Promise<boolean> {
  const isShipped = await inTransaction(db, async (tx) => {
    const isNew = await repository.markShipped(tx, id, caller)
    if (isNew) await orderEmails?.enqueue(tx, 'order-shipped', id)
    return isNew
  })
  if (isShipped) {
    orderEmails?.wake()
    return true
  }
  const order = await requireOrder(db, caller, id, 'owner or admin')
  if (order.status === 'shipped') return false
  requireTransition('ship', order.status)
  return false
}

/**
 * Sets size and colour of an order that is not shipped yet.
 *
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_SHIPPED
 */
export async function setOptions(db: Kysely<Database>, caller: Caller, id: string, options: OrderOptions) {
  await requireOrder(db, caller, id, 'owner')
  if (!(await repository.setOptions(db, id, options, caller))) throw new ShopError('ORDER_ALREADY_SHIPPED')
}

/** Sets the status of an order of the demo shop, with its history. Its payment does not exist at the provider. */
export async function restoreHistory(
  db: Kysely<Database>,
  id: string,
  customer: Actor,
  status: OrderStatus,
  placedAt: Date,
): Promise<void> {
  const hoursLater = (hours: number) => new Date(placedAt.getTime() + hours * 3_600_000)
  if (status === 'unpaid') await repository.neverExpire(db, id)
  if (status === 'cancelled') await repository.cancelOrder(db, id, customer)
  if (status === 'paid' || status === 'shipped') {
    await repository.markPaid(db, id, { provider: 'stripe', id: `pi_demo_${id}` }, hoursLater(0.1))
  }
  if (status === 'shipped') await repository.markShipped(db, id, null, hoursLater(20))
}

/** @throws the error code if the transition is not allowed */
export function requireTransition(...transition: Parameters<typeof refuseTransition>): void {
  const code = refuseTransition(...transition)
  if (code) throw new ShopError(code)
}
