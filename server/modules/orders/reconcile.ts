import * as payments from '../payments/service.ts'
import { expireOrder } from './cancellation.ts'
import * as queries from './queries.ts'
import { settleIntent } from './settlement.ts'

/** How long a payment may be under way before we ask how it stands, without being told. */
const patience = 60_000
const mostAtOnce = 100

/** Settles what the provider knows and nobody told us: a lost webhook, a browser that was closed too early. */
export async function reconcile(deps: payments.PaymentDeps): Promise<void> {
  const openedBefore = new Date(Date.now() - patience)
  for (const intentId of await payments.listUnsettledIntents(deps.db, openedBefore, mostAtOnce)) {
    // First, so that one that fails again and again does not keep the others waiting behind it.
    await payments.markLookedAt(deps.db, intentId)
    await reconcileIntent(deps, intentId)
  }
}

async function reconcileIntent(deps: payments.PaymentDeps, intentId: string): Promise<void> {
  try {
    const outcome = await settleIntent(deps, intentId)
    if (outcome !== 'not paid')
      deps.log.warn({ intentId, outcome }, 'settled a payment that nobody told us about')
  } catch (error) {
    deps.log.error({ err: error, intentId }, 'a payment could not be reconciled; trying again')
  }
}

/** Gives back the stock of orders that nobody has paid within so many hours; the provider is asked first. */
export async function expireOrders(deps: payments.PaymentDeps, unpaidOrderHours: number): Promise<void> {
  const placedBefore = new Date(Date.now() - unpaidOrderHours * 60 * 60 * 1000)
  for (const orderId of await queries.listUnpaidOrders(deps.db, placedBefore, mostAtOnce)) {
    try {
      if (await expireOrder(deps, orderId))
        deps.log.warn({ orderId }, 'cancelled an order that nobody paid in time')
    } catch (error) {
      deps.log.error({ err: error, orderId }, 'an order could not be cancelled in time; trying again')
    }
  }
}

/** Reconciles and expires, now and every minute. */
export function startReconciling(
  deps: payments.PaymentDeps,
  unpaidOrderHours: number,
): { stop(): Promise<void> } {
  let round = Promise.resolve()
  const run = () => {
    round = round
      .then(() => reconcile(deps))
      .then(() => expireOrders(deps, unpaidOrderHours))
      .catch((error: unknown) =>
        deps.log.error({ err: error }, 'payments could not be reconciled; trying again'),
      )
  }
  run()
  const timer = setInterval(run, patience)
  return {
    stop() {
      clearInterval(timer)
      return round
    },
  }
}
