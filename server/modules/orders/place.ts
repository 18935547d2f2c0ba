import { createHash } from 'node:crypto'
import {
  confirmCommits,
  isCheckViolation,
  isForeignKeyViolation,
  isUniqueViolation,
  newId,
} from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { countDatabaseTime } from '../../platform/http/response-timeout.ts'
import { createKeyedLimiter } from '../../platform/limiter.ts'
import { type ChargeTerms, priceOrder } from '../pricing/service.ts'
import { type PlaceDeps, placeWithinLimits } from './limits.ts'
import { countOrder } from './order-metrics.ts'
import * as queries from './queries.ts'
import { hasGuestKey, type NewLine, type NewOrder } from './repository.ts'
import { refuseAmount } from './rules.ts'

export type { PlaceDeps } from './limits.ts'

/** An order as it is stored, without its lines. */
export type StoredOrder = NonNullable<Awaited<ReturnType<typeof queries.findOrderByKey>>>

interface Placement {
  /** Its lines have the prices that the buyer agreed to. */
  order: Omit<NewOrder, 'id' | 'requestHash' | 'lines' | 'charges' | 'totalCents' | 'isPickup' | 'coupon'> & {
    requestHash: Buffer
    lines: Omit<NewLine, 'totalCents' | 'taxCents'>[]
  }
  /** The total that the buyer agreed to pay. */
  agreedCents: number
  /** Finds the terms of the order. Null: the order cannot be placed, and `refuse` throws the reason. */
  findTerms: () => Promise<Pick<ChargeTerms, 'terms' | 'isPickup' | 'coupon'> | null>
  /**
   * Throws the reason why the order cannot be placed. Returns if all matches now.
   *
   * @param isLast throws in any case: stock or price change all the time
   * @param isCouponTaken the buyer has used the coupon, which can be used once
   */
  refuse: (isLast: boolean, isCouponTaken: boolean) => Promise<void>
}

/** An order that fails although all matches is tried again: stock or price have changed in between. */
const maxAttempts = 5

/**
 * The orders with one code commit one after the other (decision 87). In each process only a few wait for that in the
 * database, so that the others hold no connection and no lock of a product.
 */
const takeTurn = createKeyedLimiter({
  concurrency: 4,
  maxQueued: 128,
  onOverflow: () => new ShopError('UNAVAILABLE'),
})

const keyConstraints = ['orders_idempotency_key', 'orders_idempotency_key_guest', 'orders_guest_request_key']

/**
 * Prices an order and places it once: the same idempotency key returns the same order.
 *
 * @throws IDEMPOTENCY_KEY_REUSED, TOO_MANY_OPEN_ORDERS, GUEST_ORDER_TOO_LARGE, UNAVAILABLE if too many
 * orders wait for the same code, and the errors of `refuse`
 */
export async function place(
  deps: PlaceDeps,
  { order, agreedCents, findTerms, refuse }: Placement,
): Promise<StoredOrder> {
  const { db } = deps
  const { idempotencyKey, requestHash } = order
  const { customerId } = order.buyer
  const keyOwner = hasGuestKey(order) ? null : customerId
  let { lines } = order
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const id = newId()
    const found = await findTerms()
    const priced = found && {
      ...priceOrder({ lines, terms: found.terms }),
      isPickup: found.isPickup,
      coupon: found.coupon,
    }
    let isCouponTaken = false
    // Other amounts cannot be paid, and may not fit into the integer columns of the database.
    if (priced?.totalCents === agreedCents && refuseAmount(agreedCents, lines) === null) {
      try {
        if (await placeInTurn(deps, { ...order, ...priced, id })) {
          countOrder('placed')
          if (hasGuestKey(order)) deps.orderEmails?.wake()
          return {
            id,
            customer_id: customerId,
            key_version: 1,
            amount_cents: agreedCents,
            request_hash: requestHash,
          }
        }
      } catch (error) {
        if (isForeignKeyViolation(error, 'order_lines_bike_id_fkey')) {
          // A bike was removed at the same time. The next attempt orders the parts without bikes.
          lines = lines.map((line) => ({ ...line, bikeId: null }))
        } else if (isUniqueViolation(error, 'orders_coupon_once')) {
          isCouponTaken = true
        } else if (isCheckViolation(error, 'coupons_max_uses')) {
          // The next quote says so, unless a cancelled order has released it.
        } else if (!keyConstraints.some((constraint) => isUniqueViolation(error, constraint))) throw error
      }
    }
    const placed = idempotencyKey && (await queries.findOrderByKey(db, keyOwner, idempotencyKey))
    if (placed) {
      // Orders from before this column have no hash.
      if (placed.request_hash?.equals(requestHash) ?? true) {
        // The first request may have failed because no standby had confirmed the order.
        await confirmCommits(db)
        return placed
      }
      throw new ShopError('IDEMPOTENCY_KEY_REUSED', { details: { acknowledged: false } })
    }
    await refuse(attempts === maxAttempts - 1, isCouponTaken)
  }
  throw new Error('an order was neither placed nor refused')
}

/** @throws UNAVAILABLE if too many orders wait for the same code */
function placeInTurn(deps: PlaceDeps, order: NewOrder): Promise<boolean> {
  if (!order.coupon) return placeWithinLimits(deps, order)
  const began = performance.now()
  return takeTurn(order.coupon.id, () => {
    countDatabaseTime(performance.now() - began)
    return placeWithinLimits(deps, order)
  })
}

/** Equal requests have the same hash. */
export const hashRequest = (...values: unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(values)).digest()
