import type { Actor, Guest } from '../../platform/actor.ts'
import { confirmCommits, inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { handleClaimed } from '../../platform/jobs.ts'
import * as orders from '../orders/service.ts'
import type { Refund } from './queries.ts'
import * as repository from './repository.ts'
import { closePayment, type PaymentDeps, requestRefund } from './service.ts'
import { ProviderUnavailable } from './stripe.ts'

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
 * Cancels an order that is not shipped. A paid one is refunded in full: nothing has left the shop.
 *
 * @returns `isCancelled`: false if the order was cancelled before
 * @throws ORDER_ALREADY_SHIPPED, and as `cancelOrder`
 */
export async function cancelOrRefund(
  deps: PaymentDeps,
  order: orders.Order,
  cancelledBy: Actor | Guest,
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

/**
 * Cancels a paid order and refunds it in full. Whether the provider is available does not matter: the refund is recorded
 * first, and a job requests it again.
 *
 * @returns null if the order was refunded before
 * @throws ORDER_ALREADY_SHIPPED
 */
async function cancelPaidOrder(
  deps: PaymentDeps,
  id: string,
  cancelledBy: Actor | Guest,
): Promise<Refund | null> {
  const refund = await inTransaction(deps.db, async (tx) => {
    const order = await orders.lockOrder(tx, id)
    if (order?.status === 'refunded') return null
    orders.requireTransition('refund', order?.status ?? 'cancelled')
    if (!order?.payment_provider || !order.transaction_id) throw new Error('a paid order has no payment')
    const shares = await orders.listShares(tx, id)
    const recorded = await repository.insertRefund(
      tx,
      {
        id: newId(),
        provider: order.payment_provider,
        intent_id: order.transaction_id,
        order_id: id,
        amount_cents: order.amount_cents,
        kind: 'cancellation',
        reason: 'order cancelled',
      },
      shares.map(({ lineNumber, pieces, totalCents, taxCents }) => ({
        line_number: lineNumber,
        pieces,
        restocked: pieces,
        amount_cents: totalCents,
        tax_cents: taxCents,
      })),
    )
    await orders.cancelPaidOrder(tx, id, recorded.id, cancelledBy)
    await orders.addEvent(tx, id, 'refund_due')
    await deps.orderEmails?.enqueueRefund(tx, recorded.id, order)
    return recorded
  })
  if (!refund) return null
  orders.countOrder('refunded')
  deps.orderEmails?.wake()
  await requestRefund(deps, refund).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
  })
  return refund
}

/** The order was paid in the meantime, or is being paid. */
const paidCodes = ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'PAYMENT_IN_PROGRESS']

/** Cancels orders that were not paid in time and emails their customers. Each is tried once a minute by one process. */
export function expireUnpaidOrders(deps: PaymentDeps, signal?: AbortSignal): Promise<void> {
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
