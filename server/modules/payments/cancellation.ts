import type { Actor, Caller, Guest } from '../../platform/actor.ts'
import { confirmCommits, inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { handleClaimed } from '../../platform/jobs.ts'
import * as orders from '../orders/service.ts'
import { cancelPaidOrder } from './refunds.ts'
import { closePayment, type PaymentDeps } from './service.ts'

/**
 * Cancels an unpaid order and returns its stock once.
 *
 * @returns false if the order was cancelled before
 * @throws ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function cancelOrder(
  deps: PaymentDeps,
  order: orders.Order,
  cancelledBy: Actor | Guest,
): Promise<boolean> {
  if (order.status === 'cancelled') {
    // The first request may have failed because no standby had confirmed the cancellation.
    await confirmCommits(deps.db)
    return false
  }
  orders.requireTransition('cancel', order.status)
  return cancel(deps, order.id, cancelledBy)
}

/** `refundedCents`: what the shop returns to the buyer; null if the order was not paid. */
interface Cancellation {
  isCancelled: boolean
  refundedCents: number | null
}

/**
 * Cancels an order that is not shipped. The rest of a paid amount is refunded: nothing has left the shop.
 *
 * @returns `isCancelled`: false if the order was cancelled before
 * @throws ORDER_ALREADY_SHIPPED, and as `cancelOrder`
 */
export async function cancelOrRefund(
  deps: PaymentDeps,
  order: orders.Order,
  cancelledBy: Caller | Guest,
): Promise<Cancellation> {
  if (order.status === 'paid') {
    const refund = await cancelPaidOrder(deps, order.id, cancelledBy)
    return { isCancelled: refund !== null, refundedCents: refund?.amount_cents ?? null }
  }
  if (order.status === 'refunded') {
    await confirmCommits(deps.db)
    return { isCancelled: false, refundedCents: null }
  }
  return { isCancelled: await cancelOrder(deps, order, cancelledBy), refundedCents: null }
}

/** The order was paid in the meantime, or is being paid. */
const paidCodes = ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'PAYMENT_IN_PROGRESS']

/** Cancels orders that were not paid in time and emails their customers. Each is tried once a minute by one process. */
export function expireUnpaidOrders(deps: PaymentDeps, signal?: AbortSignal): Promise<number | void> {
  return handleClaimed(
    { log: deps.log, signal, failure: 'could not cancel an unpaid order, retrying' },
    () => orders.claimExpiredOrder(deps.db, deps.terms),
    async ({ id: orderId }) => {
      const isCancelled = await cancel(deps, orderId, null).catch((error: unknown) => {
        if (error instanceof ShopError && paidCodes.includes(error.code)) return false
        throw error
      })
      if (isCancelled) deps.log.warn({ orderId }, 'cancelled an unpaid order')
    },
  )
}

async function cancel(deps: PaymentDeps, id: string, cancelledBy: Actor | Guest | null): Promise<boolean> {
  // This asks the payment provider, so no lock is held yet.
  await closePayment(deps, id)
  const isNew = await inTransaction(deps.db, async (tx) => {
    const locked = await orders.lockOrder(tx, id)
    if (!locked || locked.status === 'cancelled') return false
    // An account may have claimed a guest order in the meantime, which gives it more time.
    if (cancelledBy === null && !(await orders.isExpired(tx, id, deps.terms))) return false
    orders.requireTransition('cancel', locked.status)
    // Another tab may have opened a payment since the last one was closed.
    if (!(await orders.cancelOrder(tx, id, cancelledBy))) throw new ShopError('PAYMENT_IN_PROGRESS')
    await deps.orderEmails?.enqueue(tx, cancelledBy === null ? 'order-expired' : 'order-cancelled', id)
    return true
  })
  if (isNew) {
    orders.countOrder(cancelledBy === null ? 'expired' : 'cancelled')
    deps.orderEmails?.wake()
  }
  return isNew
}
