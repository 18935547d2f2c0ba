import type { RateLimiter } from '../../platform/rate-limiter.ts'

export type PaymentLimiter = RateLimiter<keyof ReturnType<typeof paymentLimits>>

/** @param callsPerNetwork a purchase has about two: one opens the payment, and one confirms it */
export function paymentLimits(callsPerNetwork: number) {
  return {
    /** Calls of one network that ask the provider, which limits the requests of all buyers together. */
    paymentCallsPerIp: { max: callsPerNetwork, seconds: 600 },
  }
}
