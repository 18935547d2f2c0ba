import type { Kysely } from 'kysely'
import { toCents, toDollars } from '../../../contract/money.ts'
import { type OrderStatus, refuseMove } from '../../../contract/order-status.ts'
import type { OrderOptions, OrderQuery, Purchase } from '../../../contract/orders.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller } from '../../guards.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Page } from '../../platform/page.ts'
import { ShopError } from '../../platform/shop-error.ts'
import * as catalog from '../catalog/service.ts'
import * as payments from '../payments/service.ts'
import * as repository from './repository.ts'
import { largestAmountCents, refusePurchase } from './rules.ts'
import { settle } from './settlement.ts'

export type { Order } from './repository.ts'

/** A page of orders that are not cancelled; those of one customer where the query names an e-mail. */
export function listOrders(db: Kysely<Database>, query: OrderQuery): Promise<Page<repository.Order>> {
  return repository.listOrders(db, query)
}

/**
 * An order in any state that this caller may see.
 *
 * @throws ORDER_NOT_FOUND, for another customer's order too
 */
export async function requireOrder(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
  who: 'owner' | 'owner or admin',
): Promise<repository.Order> {
  const order = await repository.findOrder(db, id)
  const isOwner = order?.customer_id === caller.customerId
  if (!order || !(isOwner || (who === 'owner or admin' && caller.role === 'admin'))) {
    throw new ShopError('ORDER_NOT_FOUND')
  }
  return order
}

/** As `requireOrder`; a cancelled order is not found either. */
export async function requireVisibleOrder(db: Kysely<Database>, caller: Caller, id: string) {
  const order = await requireOrder(db, caller, id, 'owner or admin')
  if (order.status === 'cancelled') throw new ShopError('ORDER_NOT_FOUND')
  return order
}

/**
 * Places an order and takes its stock; answers its id. The same idempotency key answers the same order.
 *
 * @param purchase amount in dollars, as the buyer believes it to be
 * @throws PRODUCT_NOT_FOUND, QUANTITY_NOT_MATCHED, OUT_OF_STOCK, ORDER_TOO_LARGE, PRICE_CHANGED (with the present
 * `amount`), IDEMPOTENCY_KEY_REUSED
 */
export async function placeOrder(
  db: Kysely<Database>,
  customerId: string,
  purchase: Purchase,
  idempotencyKey: string | null,
): Promise<string> {
  const order: repository.NewOrder = {
    id: newId(),
    customerId,
    productId: purchase.productId,
    quantity: purchase.quantity,
    amountCents: toCents(purchase.amount),
    name: purchase.customerName ?? '',
    phone: purchase.customerPhone ?? '',
    address: purchase.customerAddress,
    idempotencyKey,
  }
  if (isPlausible(order) && (await tryToPlace(db, order))) return order.id
  if (idempotencyKey) {
    const placed = await repository.findOrderByKey(db, customerId, idempotencyKey)
    if (placed) return sameOrder(placed, purchase)
  }
  throw await refusal(db, order)
}

/** False where nothing was placed; then the reason is not known yet. */
async function tryToPlace(db: Kysely<Database>, order: repository.NewOrder): Promise<boolean> {
  try {
    return await repository.placeOrder(db, order)
  } catch (error) {
    if (isUniqueViolation(error, 'orders_once')) return false
    throw error
  }
}

/** Whether the numbers are within what the database's integers hold. */
function isPlausible({ quantity, amountCents }: repository.NewOrder): boolean {
  return quantity > 0 && amountCents > 0 && amountCents <= largestAmountCents
}

function sameOrder(placed: { id: string; product_id: string; quantity: number }, purchase: Purchase): string {
  if (placed.product_id !== purchase.productId || placed.quantity !== purchase.quantity) {
    throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details: { acknowledged: false } })
  }
  return placed.id
}

async function refusal(db: Kysely<Database>, { productId, quantity, amountCents }: repository.NewOrder) {
  const product = await catalog.findProduct(db, productId)
  // Where all matches now, somebody gave stock back or changed the price since we tried: a new try would go through.
  const code = refusePurchase(product, quantity, amountCents) ?? 'OUT_OF_STOCK'
  if (code !== 'PRICE_CHANGED' || !product) return new ShopError(code, { details: { acknowledged: false } })
  const amount = toDollars(product.price_cents * quantity)
  return new ShopError(code, { details: { acknowledged: false, amount } })
}

/**
 * Cancels an unpaid order and gives its stock back once. The provider is asked first, with no lock held: an open
 * payment is closed there; one that has succeeded settles the order instead.
 *
 * @returns false where it was cancelled already
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function cancelOrder(deps: payments.PaymentDeps, caller: Caller, id: string): Promise<boolean> {
  const order = await requireOrder(deps.db, caller, id, 'owner or admin')
  if (order.status === 'cancelled') return false
  requireMove('cancel', order.status)
  const blocking = await payments.closePayment(deps, id)
  if (blocking) {
    const outcome = await settle(deps, blocking)
    throw new ShopError(outcome === 'paid' ? 'ORDER_ALREADY_PAID' : 'PAYMENT_IN_PROGRESS')
  }
  return deps.db.transaction().execute(async (tx) => {
    const locked = await repository.lockOrder(tx, id)
    if (!locked || locked.status === 'cancelled') return false
    requireMove('cancel', locked.status)
    // Another tab has opened a payment since the last one was closed.
    if (await payments.hasLivePayment(tx, id)) throw new ShopError('PAYMENT_IN_PROGRESS')
    await repository.cancelOrder(tx, id, caller.customerId)
    return true
  })
}

/**
 * Marks a paid order as shipped.
 *
 * @returns false where it was shipped already
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID
 */
export async function shipOrder(db: Kysely<Database>, caller: Caller, id: string): Promise<boolean> {
  if (await repository.markShipped(db, id)) return true
  const order = await requireVisibleOrder(db, caller, id)
  if (order.status === 'shipped') return false
  requireMove('ship', order.status)
  return false
}

/**
 * Keeps the chosen size and colour of an order that is not shipped yet.
 *
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_SHIPPED
 */
export async function setOptions(db: Kysely<Database>, caller: Caller, id: string, options: OrderOptions) {
  const order = await requireOrder(db, caller, id, 'owner')
  if (order.status === 'cancelled') throw new ShopError('ORDER_NOT_FOUND')
  if (!(await repository.setOptions(db, id, options))) throw new ShopError('ORDER_ALREADY_SHIPPED')
}

/** Brings an order of the demo shop to where it would be by now; its payment was never at the provider. */
export async function restoreHistory(
  db: Kysely<Database>,
  id: string,
  customerId: string,
  status: OrderStatus,
  placedAt: Date,
): Promise<void> {
  await repository.setPlacedAt(db, id, placedAt)
  if (status === 'cancelled') await repository.cancelOrder(db, id, customerId)
  if (status === 'paid' || status === 'shipped') await repository.markPaid(db, id, `pi_demo_${id}`, placedAt)
  if (status === 'shipped') await repository.markShipped(db, id, placedAt)
}

function requireMove(...move: Parameters<typeof refuseMove>): void {
  const code = refuseMove(...move)
  if (code) throw new ShopError(code)
}
