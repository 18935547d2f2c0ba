import { formatDollars, toDollars } from '../../../contract/money.ts'
import type { Actor, Caller } from '../../http/access.ts'
import { inTransaction } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { handleClaimed } from '../../platform/jobs.ts'
import type { EmailRenderers } from '../mail/service.ts'
import * as orders from '../orders/service.ts'
import { closePayment, type PaymentDeps } from './service.ts'

/**
 * Cancels an unpaid order and returns its stock once.
 *
 * @returns false if the order was cancelled before
 * @throws ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function cancelOrder(deps: PaymentDeps, caller: Caller, id: string): Promise<boolean> {
  const order = await orders.requireOrder(deps.db, caller, id, 'owner or admin', { includesCancelled: true })
  if (order.status === 'cancelled') return false
  orders.requireTransition('cancel', order.status)
  return cancel(deps, id, caller)
}

/** The order was paid in the meantime, or is being paid. */
const paidCodes = ['ORDER_ALREADY_PAID', 'ORDER_ALREADY_SHIPPED', 'PAYMENT_IN_PROGRESS']

/** Cancels orders that were not paid in time and emails their customers. Each is tried once a minute by one process. */
export function expireUnpaidOrders(deps: PaymentDeps, signal?: AbortSignal): Promise<void> {
  return handleClaimed(
    { log: deps.log, signal, failure: 'could not cancel an unpaid order, retrying' },
    () => orders.claimExpiredOrder(deps.db, deps.unpaidOrderHours),
    async ({ id: orderId }) => {
      const isCancelled = await cancel(deps, orderId, null).catch((error: unknown) => {
        if (error instanceof ShopError && paidCodes.includes(error.code)) return false
        throw error
      })
      if (!isCancelled) return
      deps.log.warn({ orderId }, 'cancelled an unpaid order')
      deps.outbox?.wake()
    },
  )
}

async function cancel(deps: PaymentDeps, id: string, cancelledBy: Actor | null): Promise<boolean> {
  // This asks the payment provider, so no lock is held yet.
  await closePayment(deps, id)
  return inTransaction(deps.db, async (tx) => {
    const locked = await orders.lockOrder(tx, id)
    if (!locked || locked.status === 'cancelled') return false
    orders.requireTransition('cancel', locked.status)
    // Another tab may have opened a payment since the last one was closed.
    if (!(await orders.cancelOrder(tx, id, cancelledBy))) throw new ShopError('PAYMENT_IN_PROGRESS')
    if (cancelledBy === null && locked.customer_email) {
      await deps.outbox?.enqueue(tx, 'order-expired', locked.customer_email, id)
    }
    return true
  })
}

/** The emails about an order; `subject` is its id. */
export const createOrderEmails = (origin: string): Pick<EmailRenderers, 'order-expired'> => ({
  async 'order-expired'(tx, { subject }) {
    const order = await orders.findOrder(tx, subject)
    if (!order) return null
    const number = `#${order.id.slice(0, 6)}`
    const total = formatDollars(toDollars(order.amount_cents))
    return {
      subject: `Your order ${number} was cancelled`,
      body: [
        `We cancelled your order ${number} because it was not paid in time.`,
        `${order.quantity} × ${order.product_name}, ${total} in total.`,
        'If you still want to buy it, please place a new order.',
        { label: 'Browse the products', url: `${origin}/products` },
      ],
    }
  },
})
