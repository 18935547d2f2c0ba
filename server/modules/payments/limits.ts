import type { RateLimiter } from '../../platform/rate-limiter.ts'
import * as queries from './queries.ts'
import { cancelLivePayment, type PaymentDeps } from './service.ts'
import { provider } from './stripe.ts'

export type PaymentLimiter = RateLimiter<keyof ReturnType<typeof paymentLimits>>

/** With the limits of payments. */
export interface LimitedDeps extends PaymentDeps {
  rateLimiter: PaymentLimiter
}

/** @param callsPerNetwork a purchase has about two: one opens the payment, and one confirms it */
export function paymentLimits(callsPerNetwork: number) {
  return {
    /** Calls of one network that ask the provider, which limits the requests of all buyers together. */
    paymentCallsPerIp: { max: callsPerNetwork, seconds: 600 },
    /** Cards that were declined for one order. More is a script that tries stolen ones. */
    declinesPerOrder: { max: 10, seconds: 24 * 3600 },
  }
}

/**
 * Counts a declined card for the order of this intent. Above the limit it closes the payment, because the browser sends
 * cards to the provider without the shop. Until the window ends, no other payment of the
 * order can be opened.
 *
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function countDecline(deps: LimitedDeps, intentId: string): Promise<void> {
  const { db, rateLimiter, log } = deps
  const orderId = (await queries.findPayment(db, { provider, id: intentId }))?.order_id
  if (!orderId || (await rateLimiter.countIn(db, 'declinesPerOrder', orderId)) === 0) return
  const result = await cancelLivePayment(deps, orderId)
  log.warn({ orderId, result }, 'too many cards were declined for an order')
}
