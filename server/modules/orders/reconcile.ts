import { setTimeout as delay } from 'node:timers/promises'
import { ShopError } from '../../platform/shop-error.ts'
import * as payments from '../payments/service.ts'
import { expireOrder } from './cancellation.ts'
import * as queries from './queries.ts'
import { makeRefund } from './refunds.ts'
import { settleIntent } from './settlement.ts'

/** How long a payment may be under way before we ask how it stands, without being told. */
const patience = 60_000
const mostAtOnce = 100
/** A provider that is slow must not keep the shop from closing. */
const stopWithinMs = 2_000

/**
 * Settles what the provider knows and nobody told us: a lost webhook, a browser that was closed too early.
 *
 * @param signal leaves the rest to the next round
 */
export async function reconcile(
  deps: payments.PaymentDeps,
  openedBefore = new Date(Date.now() - patience),
  signal?: AbortSignal,
): Promise<void> {
  for (const intentId of await payments.listUnsettledIntents(deps.db, openedBefore, mostAtOnce)) {
    if (signal?.aborted) return
    // First, so that one that fails again and again does not keep the others waiting behind it.
    await payments.markLookedAt(deps.db, intentId)
    if (!(await reconcileIntent(deps, intentId))) return
  }
}

/** False where the provider is away: the others of this round would only wait for it as well. */
async function reconcileIntent(deps: payments.PaymentDeps, intentId: string): Promise<boolean> {
  try {
    const outcome = await settleIntent(deps, intentId)
    if (outcome !== 'not paid')
      deps.log.warn({ intentId, outcome }, 'settled a payment that nobody told us about')
    return true
  } catch (error) {
    deps.log.error({ err: error, intentId }, 'a payment could not be reconciled; trying again')
    return !isProviderAway(error)
  }
}

/**
 * Asks again for refunds that were not made, or have failed, and how those fare that are under way.
 *
 * @param dueBefore those whose time has come by then
 */
export async function retryRefunds(
  deps: payments.PaymentDeps,
  dueBefore = new Date(),
  signal?: AbortSignal,
): Promise<void> {
  for (const intentId of await payments.claimRefunds(deps.db, dueBefore, mostAtOnce)) {
    if (signal?.aborted) return
    try {
      await makeRefund(deps, intentId, { again: true })
    } catch (error) {
      deps.log.error({ err: error, intentId }, 'a refund could not be made; trying again')
      if (isProviderAway(error)) return
    }
  }
}

/**
 * Gives back the stock of orders that nobody has paid within so many hours; the provider is asked first.
 *
 * @param after where the last round has stopped, so that orders that fail again and again do not keep the others
 * waiting behind them
 * @returns where the next round goes on; null for the oldest order
 */
export async function expireOrders(
  deps: payments.PaymentDeps,
  unpaidOrderHours: number,
  after: queries.Place | null = null,
  signal?: AbortSignal,
): Promise<queries.Place | null> {
  const placedBefore = new Date(Date.now() - unpaidOrderHours * 60 * 60 * 1000)
  const due = await queries.listUnpaidOrders(deps.db, placedBefore, after, mostAtOnce)
  for (const order of due) {
    if (signal?.aborted || !(await expire(deps, order.id))) return order
  }
  return due.length === mostAtOnce ? (due.at(-1) ?? null) : null
}

/** False where the provider is away. */
async function expire(deps: payments.PaymentDeps, orderId: string): Promise<boolean> {
  try {
    if (await expireOrder(deps, orderId))
      deps.log.warn({ orderId }, 'cancelled an order that nobody paid in time')
    return true
  } catch (error) {
    deps.log.error({ err: error, orderId }, 'an order could not be cancelled in time; trying again')
    return !isProviderAway(error)
  }
}

const isProviderAway = (error: unknown) =>
  error instanceof ShopError && error.code === 'PAYMENT_PROVIDER_UNAVAILABLE'

/** Reconciles, refunds and expires, now and every minute; a round that takes longer is waited for. */
export function startReconciling(
  deps: payments.PaymentDeps,
  unpaidOrderHours: number,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const { signal } = stopped
  let expired: queries.Place | null = null
  let round: Promise<void> | null = null

  async function reconcileAndExpire(): Promise<void> {
    try {
      await reconcile(deps, undefined, signal)
      await retryRefunds(deps, undefined, signal)
      expired = await expireOrders(deps, unpaidOrderHours, expired, signal)
    } catch (error) {
      if (!signal.aborted) deps.log.error({ err: error }, 'payments could not be reconciled; trying again')
    }
  }
  const run = () => {
    round ??= reconcileAndExpire().finally(() => {
      round = null
    })
  }
  run()
  const timer = setInterval(run, patience)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await Promise.race([round, delay(stopWithinMs, undefined, { ref: false })])
    },
  }
}
