import type { Kysely } from 'kysely'
import { formatAddress } from '../../../contract/address-rules.ts'
import type { Address } from '../../../contract/addresses.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { toWholeCents } from '../../../contract/money.ts'
import { type OrderStatus, refuseTransition } from '../../../contract/order-status.ts'
import type { OrderOptions } from '../../../contract/orders.ts'
import type { NewPaymentIntent } from '../../../contract/payments.ts'
import { noPermissions, type Permission } from '../../../contract/permissions.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { normalizeIp } from '../../platform/http/ip.ts'
import { priceOrder } from '../pricing/service.ts'
import { hasKey, type OrderKeys } from './order-key.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { addShipment } from './shipments/repository.ts'
import { toPaymentAmounts } from './states.ts'

export { presentCharge } from '../pricing/service.ts'
export * from './checkout.ts'
export { cancelledReasons, type OrderEmails, openOrderEmails, orderEmailLimits } from './emails.ts'
export { moveNotes } from './notes/repository.ts'
export { addNote, listNotes, removeNote } from './notes/service.ts'
export { createOrderKeys, type OrderKeys } from './order-key.ts'
export { countOrder } from './order-metrics.ts'
export * from './phone-orders.ts'
export { presentAddressLines, presentFit } from './present.ts'
export * from './purchase.ts'
export {
  findLastSentOrder,
  findOrder,
  findOrderIds,
  findRecipient,
  hasReturnNote,
  listEvents,
  listOrders,
  type Order,
} from './queries.ts'
export {
  addEvent,
  applyRefund,
  cancelOrder,
  claimExpiredOrder,
  isExpired,
  lockOrder,
  markPaid,
  toAuthor,
} from './repository.ts'
export type { OrderTerms } from './rules.ts'
export { listVariantsByCode } from './scan/queries.ts'
export { countOrdersByEmail, listOrdersByCode } from './search/queries.ts'
export { indexEarlierOrders, readOrdersOf, searchOrders } from './search/service.ts'
export * from './shipments/packing.ts'
export { listShipments } from './shipments/queries.ts'
export * from './shipments/service.ts'
export { type LinePieces, toLinePieces, toPaymentAmounts } from './states.ts'
export { countOpenOrders, countWork, exportOrderLines, listWork } from './work-lists/queries.ts'

/**
 * Returns an order if this caller may see it.
 *
 * @param permission of staff who may read it beside its owner; null: only the owner
 * @throws ORDER_NOT_FOUND; this includes another customer's order, and a cancelled one unless it is requested. NOT_ALLOWED
 *   for staff without the permission
 */
export async function requireOrder(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
  permission: Permission | null,
  { includesCancelled = false } = {},
): Promise<queries.Order> {
  const order = await queries.findOrder(db, id)
  if (!isReader(caller, order, permission)) throw new ShopError(refuseOrder(caller, permission))
  const isHidden = order?.status === 'cancelled' && !includesCancelled
  if (!order || isHidden) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

/** Returns whether a caller owns an order, or may read every order. */
const isReader = (caller: Caller, order: queries.Order | undefined, permission: Permission | null) =>
  order?.customer_id === caller.customerId || (permission !== null && caller.permissions.has(permission))

/** Staff without the permission may not learn whether the order exists either. */
const refuseOrder = (caller: Caller | null, permission: Permission | null): ErrorCode =>
  caller?.role && permission && !caller.permissions.has(permission)
    ? (caller.openStep ?? 'NOT_ALLOWED')
    : 'ORDER_NOT_FOUND'

/**
 * The parts of a call for an order that identify its reader: a customer, or a guest who has the key of the order.
 * The key of an order by phone opens an account's order too.
 */
export interface OrderCall {
  caller: Caller | null
  headers: { 'order-key'?: string | undefined }
  request: { ip: string; headers: { authorization?: string | undefined } }
}

/**
 * Returns an order, cancelled ones too, if this reader may see it: as its owner, as staff with the permission, or by its key.
 *
 * @returns `reader`: in which role
 * @throws ORDER_NOT_FOUND; this includes a wrong key. NOT_SIGNED_IN if it comes with an expired token: the order may be its
 *   customer's. NOT_ALLOWED for staff without the permission
 */
export async function requireOrderByKey(
  { db, orderKeys }: { db: Kysely<Database>; orderKeys: OrderKeys },
  { caller, headers, request }: OrderCall,
  id: string,
  permission: Permission | null,
): Promise<{ order: queries.Order; reader: Caller | Guest }> {
  const order = await queries.findOrder(db, id)
  if (order && caller && isReader(caller, order, permission)) return { order, reader: caller }
  const key = headers['order-key']
  if (order && hasKey(order) && key !== undefined && orderKeys.isValid(order, key)) {
    return { order, reader: { customerId: null, permissions: noPermissions, ip: normalizeIp(request.ip) } }
  }
  // A token without a caller has expired.
  const hasExpired = !caller && request.headers.authorization !== undefined
  throw new ShopError(hasExpired ? 'NOT_SIGNED_IN' : refuseOrder(caller, permission))
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
    ? await requireOrder(db, caller, orderId, null)
    : isPlausible && (await queries.findUnpaidOrderOfAmount(db, caller.customerId, amountCents))
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  requireTransition('pay', order.status)
  if (order.amount_cents !== amountCents) throw new ShopError('AMOUNT_MISMATCH')
  return order
}

/**
 * Sets size and colour of an order that is not shipped yet.
 *
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_SHIPPED, OPTIONS_FIXED if it is not for one product with standard options at
 * the time of the order
 */
export async function setOptions(db: Kysely<Database>, caller: Caller, id: string, options: OrderOptions) {
  await inTransaction(db, async (tx) => {
    await repository.lockOrder(tx, id)
    const { status } = await requireOrder(tx, caller, id, null)
    if (status === 'shipped') throw new ShopError('ORDER_ALREADY_SHIPPED')
    const isOpen = status === 'unpaid' || status === 'paid'
    if (!isOpen || !(await repository.setOptions(tx, id, options))) throw new ShopError('OPTIONS_FIXED')
    await repository.addEvent(tx, id, 'options', repository.toAuthor(caller))
  })
}

interface DemoOrder {
  customer: Actor
  address: Address
  note: string
  lines: { productId: string; quantity: number; unitPriceCents: number }[]
  status: OrderStatus
  placedAt: Date
}

/** Adds an order of the demo shop, with its history. Its payment does not exist at the provider. */
export async function addDemoOrder(
  db: Kysely<Database>,
  { lines, customer, address, status, placedAt, ...order }: DemoOrder,
): Promise<void> {
  const id = newId()
  const priced = priceOrder({
    lines: lines.map((line) => ({
      ...line,
      variantId: line.productId,
      size: null,
      colour: null,
      bikeId: null,
    })),
  })
  const result = await repository.placeOrder(db, {
    ...order,
    ...priced,
    isPickup: false,
    coupon: null,
    id,
    buyer: customer,
    email: null,
    name: address.name,
    phone: address.phone ?? '',
    address: formatAddress(address),
    shipping: address,
    idempotencyKey: null,
    requestHash: null,
    needsChoice: false,
    emptiesCart: false,
    condition: null,
    placedAt,
  })
  if (result !== 'placed') throw new Error('The demo order could not be placed')
  const hoursLater = (hours: number) => new Date(placedAt.getTime() + hours * 3_600_000)
  if (status === 'unpaid') await repository.neverExpire(db, id)
  if (status === 'cancelled') await repository.cancelOrder(db, id, customer)
  if (toPaymentAmounts({ status, amount_cents: priced.totalCents, refunded_cents: 0 }).paidCents > 0) {
    await repository.markPaid(db, id, { provider: 'stripe', id: `pi_demo_${id}` }, hoursLater(0.1))
  }
  if (status === 'shipped') {
    await addShipment(db, id, {
      id: newId(),
      lineNumbers: lines.map((_, index) => index + 1),
      carrier: null,
      trackingNumbers: [],
      isPartial: false,
      by: null,
      at: hoursLater(20),
    })
  }
}

/** @throws the error code if the transition is not allowed */
export function requireTransition(...transition: Parameters<typeof refuseTransition>): void {
  const code = refuseTransition(...transition)
  if (code) throw new ShopError(code)
}
