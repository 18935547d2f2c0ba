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
import { chooseVariant, largestAmountCents, refusePurchase, smallestAmountCents, toAmount } from './rules.ts'

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

/** A placement that fails although all matches is tried again: the stock or a price has changed in between. */
const maxPlacements = 5

/**
 * Places an order for one product and takes its stock. Returns its id; the same idempotency key returns the same order.
 *
 * @param purchase `amount` in dollars, as shown to the buyer
 * @throws PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, QUANTITY_NOT_MATCHED, OUT_OF_STOCK, ORDER_TOO_SMALL, ORDER_TOO_LARGE,
 * PRICE_CHANGED (with the present `amount`), IDEMPOTENCY_KEY_REUSED
 */
export async function placeOrder(
  db: Kysely<Database>,
  buyer: Actor,
  purchase: Purchase,
  idempotencyKey: string | null,
  placedAt?: Date,
): Promise<string> {
  const { productId, variantId, quantity } = purchase
  const amountCents = toWholeCents(purchase.amount)
  const details = { acknowledged: false }
  for (let placements = 0; placements < maxPlacements; placements++) {
    const order: repository.NewOrder = {
      id: newId(),
      buyer,
      name: purchase.customerName ?? '',
      phone: purchase.customerPhone ?? '',
      address: purchase.customerAddress,
      lines: [
        { productId, variantId: variantId ?? null, quantity, unitPriceCents: null, size: null, colour: null },
      ],
      amountCents,
      idempotencyKey,
      placedAt,
    }
    // Other amounts cannot be paid, and may not fit into the integer columns of the database.
    if (quantity > 0 && amountCents >= smallestAmountCents && amountCents <= largestAmountCents) {
      try {
        if (await retryTransient(db, () => repository.placeOrder(db, order))) return order.id
      } catch (error) {
        if (!isUniqueViolation(error, 'orders_idempotency_key')) throw error
      }
    }
    const placed = idempotencyKey && (await queries.findOrderByKey(db, buyer.customerId, idempotencyKey))
    if (placed) {
      const isSame =
        placed.product_id === productId &&
        placed.quantity === quantity &&
        (variantId === undefined || placed.variant_id === variantId)
      if (isSame) return placed.id
      throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details })
    }
    const product = await catalog.findProduct(db, productId)
    const variant = chooseVariant(await catalog.listVariants(db, productId), variantId, quantity)
    const code = refusePurchase(product, variant, quantity, amountCents)
    if (code === 'PRICE_CHANGED' && product && variant) {
      const amount = toDollars(toAmount(product, variant, quantity))
      throw new ShopError(code, { details: { ...details, amount } })
    }
    if (code) throw new ShopError(code, { details })
  }
  throw new ShopError('OUT_OF_STOCK', { details })
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
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_SHIPPED, OPTIONS_FIXED if it is not for one product with standard options
 */
export async function setOptions(db: Kysely<Database>, caller: Caller, id: string, options: OrderOptions) {
  await requireOrder(db, caller, id, 'owner')
  if (await repository.setOptions(db, id, options, caller)) return
  const { status } = await requireOrder(db, caller, id, 'owner')
  throw new ShopError(status === 'shipped' ? 'ORDER_ALREADY_SHIPPED' : 'OPTIONS_FIXED')
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

/** The name of an order in lists: `Brake pads`, or `Brake pads and 2 more`. */
export function nameOrder({
  lines: [first],
  line_count,
}: Pick<queries.Order, 'lines' | 'line_count'>): string {
  return `${first?.product_name ?? ''}${line_count > 1 ? ` and ${line_count - 1} more` : ''}`
}

/** @throws the error code if the transition is not allowed */
export function requireTransition(...transition: Parameters<typeof refuseTransition>): void {
  const code = refuseTransition(...transition)
  if (code) throw new ShopError(code)
}
