import { handleClaimed, minutelyLeaseMs } from '../../platform/jobs.ts'
import * as repository from './repository.ts'
import { type PaymentDeps, requestRefund, settleIntent } from './service.ts'
import { ProviderUnavailable } from './stripe.ts'

/** Settles payments that no webhook and no browser has reported. Each is checked once a minute by one process, later less often. */
export function reconcilePayments(
  deps: PaymentDeps,
  signal?: AbortSignal,
  minAgeMs = minutelyLeaseMs,
): Promise<number | void> {
  const { db, log } = deps
  return handleClaimed(
    { log, signal, failure: 'could not reconcile a payment, retrying' },
    () => repository.claimUnsettledPayment(db, minAgeMs),
    async ({ id: intentId }) => {
      const settlement = await settleIntent(deps, intentId)
      if (settlement !== 'not paid') log.warn({ intentId, settlement }, 'settled a payment without a webhook')
    },
  )
}

/**
 * Asks once a day for refunds that have succeeded, because a later failure is otherwise known only by its webhook. Each is
 * checked by one process.
 */
export function checkRefunds(deps: PaymentDeps, signal?: AbortSignal): Promise<number | void> {
  return handleClaimed(
    { log: deps.log, signal, failure: 'could not check a refund, retrying' },
    () => repository.claimSucceededRefund(deps.db),
    (refund) =>
      requestRefund(deps, refund).catch(async (error: unknown) => {
        // The run ends. The next one, an hour later, asks again.
        if (error instanceof ProviderUnavailable) await repository.setUnchecked(deps.db, refund.id)
        throw error
      }),
  )
}

/** Requests refunds again that were not made or have failed, and asks for the result of pending ones. */
export function retryRefunds(
  deps: PaymentDeps,
  signal?: AbortSignal,
  dueWithinMs = 0,
): Promise<number | void> {
  return handleClaimed(
    { log: deps.log, signal, failure: 'could not make a refund, retrying' },
    () => repository.claimDueRefund(deps.db, dueWithinMs),
    (refund) => requestRefund(deps, refund),
  )
}
