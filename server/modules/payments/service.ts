import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { refuseTransition } from '../../../contract/order-status.ts'
import type { Refund } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import { confirmCommits, inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { createCounter } from '../../platform/telemetry/metrics.ts'
import * as orders from '../orders/service.ts'
import { presentRefund } from './present.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import {
  type PaymentGateway,
  type PaymentIntent,
  ProviderRejected,
  ProviderUnavailable,
  provider,
} from './stripe.ts'

export { cancelOrRefund } from './cancellation.ts'
export { type PaymentLimiter, paymentLimits } from './limits.ts'
export { presentRefund } from './present.ts'
export { countOpenRefunds } from './queries.ts'
export {
  announceRefund,
  listRefundable,
  type RecordedRefund,
  recordCancellation,
  refundOrder,
} from './refunds.ts'

/** Services and settings of payments. */
export interface PaymentServices {
  gateway: PaymentGateway
  log: FastifyBaseLogger
  /** Null if the shop does not send email. */
  orderEmails: orders.OrderEmails | null
  terms: orders.OrderTerms
  orderKeys: orders.OrderKeys
}

/** With the connections of the request or the job. */
export interface PaymentDeps extends PaymentServices {
  db: Kysely<Database>
}

const refunds = createCounter({
  name: 'shop_refunds_total',
  help: 'Refunds requested from the payment provider, and results that were asked for.',
  labelNames: ['outcome'],
})

/** Lists the refunds of payments for an order, oldest first. */
export const listRefunds = async (db: Kysely<Database>, orderId: string): Promise<Refund[]> =>
  (await queries.listRefundsOfOrder(db, orderId)).map(presentRefund)

/*
 * How an order becomes paid, from top to bottom:
 *
 * 1. openPayment: the browser gets an intent of the provider, with which the customer enters a card.
 * 2. confirmPayment: the browser reports that the customer has paid. A webhook and a job do the same by settleIntent.
 * 3. settle: the order becomes paid if the provider has its money. Money that pays no order is recorded as a refund.
 * 4. closePayment: an order that is about to be cancelled can no longer be paid.
 * 5. requestRefund: the provider returns the money.
 *
 * Locks: first the order, then its payments and refunds. No lock is held while the provider is asked.
 */

/**
 * Opens a payment for an unpaid order, or finds the open one.
 *
 * @param requireOrder reads the order again each time, and throws if it cannot be paid
 * @returns the intent, which has the amount of the order
 * @throws ORDER_NOT_FOUND, AMOUNT_MISMATCH, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function openPayment(
  deps: PaymentDeps,
  requireOrder: () => Promise<orders.Order>,
): Promise<PaymentIntent> {
  const { db, gateway } = deps
  const order = await requireOrder()
  const payments = await queries.listPayments(db, order.id)
  const live = payments.find(queries.isLive)
  if (live) {
    const intent = await gateway.findIntent(live.intent_id)
    if (intent?.status === 'open') return intent
    const settlement = await settleFound(deps, live.intent_id, intent, live.status)
    if (settlement === 'paid') throw new ShopError('ORDER_ALREADY_PAID')
    if (intent && intent.status !== 'cancelled') throw new ShopError('PAYMENT_IN_PROGRESS')
  }

  const attempt = payments.length + 1
  const intent = await gateway.createIntent({ orderId: order.id, amountCents: order.amount_cents, attempt })
  const result = await inTransaction(db, async (tx) => {
    const locked = await orders.lockOrder(tx, order.id)
    const errorCode = refuseTransition('pay', locked?.status ?? 'cancelled')
    if (errorCode) return errorCode
    await repository.insertPayment(tx, order.id, intent, attempt)
    return (await queries.findLivePayment(tx, order.id))?.intent_id === intent.id ? 'opened' : 'other payment'
  })
  if (result === 'opened') return intent
  // In the meantime the order was paid or cancelled, or another tab has opened its payment.
  await gateway.cancelIntent(intent.id)
  if (result !== 'other payment') throw new ShopError(result)
  return openPayment(deps, requireOrder)
}

/**
 * Settles an order if the provider has the money for it. The report of the browser is only a hint.
 *
 * @returns false if this intent had paid the order before
 * @throws ORDER_NOT_FOUND, PAYMENT_NOT_CONFIRMED, PAYMENT_IN_PROGRESS, PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function confirmPayment(
  deps: PaymentDeps,
  order: orders.Order,
  intentId: string,
): Promise<boolean> {
  if (order.transaction_id === intentId) {
    // The first report may have failed because no standby had confirmed the payment.
    await confirmCommits(deps.db)
    return false
  }
  const before = (await queries.findPayment(deps.db, { provider, id: intentId }))?.status
  const intent = await deps.gateway.findIntent(intentId)
  if (intent?.orderId !== order.id) throw new ShopError('PAYMENT_NOT_CONFIRMED')
  if ((await settle(deps, intent, before)) === 'paid') return true
  throw new ShopError(intent.status === 'processing' ? 'PAYMENT_IN_PROGRESS' : 'PAYMENT_NOT_CONFIRMED')
}

/** `refunded`: the money is or will be refunded; `no order`: the intent belongs to no order of this shop. */
type Settlement = 'paid' | 'not paid' | 'refunded' | 'no order'

/** Settles an order by the id of its intent: the provider has sent an event, or it is time to check. */
export async function settleIntent(deps: PaymentDeps, intentId: string): Promise<Settlement> {
  const before = (await queries.findPayment(deps.db, { provider, id: intentId }))?.status
  return settleFound(deps, intentId, await deps.gateway.findIntent(intentId), before)
}

/** @param intent null if the provider does not have this intent, which then cannot be paid */
async function settleFound(
  deps: PaymentDeps,
  intentId: string,
  intent: PaymentIntent | null,
  before: queries.Payment['status'] | undefined,
): Promise<Settlement> {
  if (intent) return settle(deps, intent, before)
  await repository.setProgress(deps.db, { provider, id: intentId }, 'cancelled', before)
  return 'no order'
}

/**
 * Applies a payment intent to its order. Idempotent: webhook, browser, cancellation and jobs call it.
 *
 * @param intent as just returned by the provider
 * @param before the recorded status before the provider was asked
 * @throws PAYMENT_IN_PROGRESS, PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function settle(
  deps: PaymentDeps,
  intent: PaymentIntent,
  before: queries.Payment['status'] | undefined,
): Promise<Settlement> {
  const { status } = intent
  let isNewlyPaid = false
  let hasRefunds = false
  const result = await inTransaction(deps.db, async (tx) => {
    isNewlyPaid = false
    const order = intent.orderId ? await orders.lockOrder(tx, intent.orderId) : undefined
    if (status !== 'succeeded') {
      const change = await repository.setProgress(tx, intent, status, before)
      if (change?.to === 'processing') await orders.addEvent(tx, change.order_id, 'processing')
      if (change?.from === 'processing') await orders.addEvent(tx, change.order_id, 'payment_failed')
      return 'not paid'
    }
    // Another shop may use the same account of the provider.
    if (!order) return 'no order'
    if (order.transaction_id === intent.id) {
      hasRefunds = order.refunded_cents > 0
      return 'paid'
    }
    const isFullAmount = intent.amountReceivedCents === order.amount_cents && intent.currency === 'usd'
    let reason: string | null = null
    if (order.status === 'cancelled') reason = 'order cancelled'
    else if (orders.toPaymentAmounts(order).paidCents > 0) reason = 'order already paid'
    else if (!isFullAmount) reason = 'amount mismatch'
    if (reason) {
      await repository.recordOutcome(tx, order.id, intent, 'unmatched')
      const isNew = await repository.recordRefundDue(tx, order.id, intent, reason)
      if (isNew) await orders.addEvent(tx, order.id, 'refund_due')
      return 'refunded'
    }
    const live = await queries.findLivePayment(tx, order.id)
    if (live && live.intent_id !== intent.id) return { orderWithOtherPayment: order.id }
    await repository.recordOutcome(tx, order.id, intent, 'succeeded')
    await orders.markPaid(tx, order.id, intent)
    await deps.orderEmails?.enqueue(tx, 'order-received', order.id)
    isNewlyPaid = true
    return 'paid'
  })
  if (isNewlyPaid) orders.countOrder('paid')

  if (result === 'paid') deps.orderEmails?.wake()
  // No lock is held from here on. If it fails, the provider sends its event again, and the jobs try again.
  if (result === 'refunded' || hasRefunds) {
    for (const refund of await queries.listRefundsOfIntent(deps.db, intent)) {
      if (refund.status === 'closed') await findLateSuccess(deps, refund)
      else if (refund.status !== 'failed') await requestRefund(deps, refund)
    }
  }
  if (typeof result === 'string') return result
  // The customer must not pay the other one too. If that has happened already, it pays the order instead.
  const other = await cancelLivePayment(deps, result.orderWithOtherPayment)
  if (other !== 'cancelled' && other !== 'paid') throw new ShopError('PAYMENT_IN_PROGRESS')
  return settle(deps, intent, before)
}

/**
 * Closes the open payment of an order, so that the order can be cancelled.
 *
 * @throws ORDER_ALREADY_PAID, PAYMENT_IN_PROGRESS, PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function closePayment(deps: PaymentDeps, orderId: string): Promise<void> {
  const result = await cancelLivePayment(deps, orderId)
  if (result === 'paid') throw new ShopError('ORDER_ALREADY_PAID')
  if (result !== 'cancelled') throw new ShopError('PAYMENT_IN_PROGRESS')
}

/** Returns `cancelled` even if no payment is open. If the payment has succeeded in the meantime, settles the order. */
export async function cancelLivePayment(
  deps: PaymentDeps,
  orderId: string,
): Promise<Settlement | 'cancelled'> {
  const live = await queries.findLivePayment(deps.db, orderId)
  if (!live) return 'cancelled'
  const intent = await deps.gateway.cancelIntent(live.intent_id)
  const settlement = await settleFound(deps, live.intent_id, intent, live.status)
  return !intent || intent.status === 'cancelled' ? 'cancelled' : settlement
}

/**
 * Requests a recorded refund from the provider, or asks for the result of one that was requested before. Does nothing if an
 * admin has closed it.
 *
 * @throws PAYMENT_PROVIDER_UNAVAILABLE, which is recorded too: the job tries again
 */
export async function requestRefund(
  { db, gateway, log }: PaymentDeps,
  refund: queries.Refund,
): Promise<void> {
  const { id: refundId, provider, intent_id: intentId, provider_refund_id: providerId } = refund
  const isMade = providerId !== null && refund.status !== 'failed'
  if (!isMade && !(await repository.markRequested(db, refundId))) return
  let unavailable: ProviderUnavailable | undefined
  let result: Parameters<typeof repository.recordRefundResult>[2]
  try {
    result = isMade
      ? await gateway.retrieveRefund(providerId)
      : await gateway.refund({
          intentId,
          amountCents: refund.amount_cents,
          key: refundId,
          // Without its own id: another process may have adopted a dashboard refund for it in the meantime.
          recordedIds: (await queries.listRefundsOfIntent(db, { provider, id: intentId })).flatMap((other) =>
            other.id === refundId ? [] : (other.provider_refund_id ?? []),
          ),
        })
  } catch (error) {
    if (error instanceof ProviderUnavailable) {
      unavailable = error
      result = { status: 'unavailable', failure: error.reason }
    } else if (error instanceof ProviderRejected) {
      // A wrong key or another account says nothing about a refund that was made.
      if (refund.status === 'succeeded')
        return log.error({ refundId, intentId, failure: error.message }, 'could not check a refund')
      result = { status: 'failed', failure: error.message }
    } else throw error
  }
  refunds.inc({ outcome: result.status })
  await recordResult({ db, log }, refund, result)
  if (unavailable) throw unavailable
}

/** Records that the provider has made a refund after an admin had closed it, if it has. */
async function findLateSuccess({ db, gateway, log }: PaymentDeps, refund: queries.Refund): Promise<void> {
  // A refund of nothing was never requested.
  if (refund.amount_cents === 0) return
  const made = await gateway.findRefund({ intentId: refund.intent_id, key: refund.id })
  if (made?.status === 'succeeded') await recordResult({ db, log }, refund, made)
}

async function recordResult(
  { db, log }: Pick<PaymentDeps, 'db' | 'log'>,
  refund: queries.Refund,
  result: Parameters<typeof repository.recordRefundResult>[2],
): Promise<void> {
  const { id: refundId, intent_id: intentId, kind } = refund
  const change = await inTransaction(db, async (tx) => {
    await orders.lockOrder(tx, refund.order_id)
    const change = await repository.recordRefundResult(tx, refund, result)
    if (change?.event) await orders.addEvent(tx, refund.order_id, change.event)
    return change
  })
  if (!change) return
  if (change.to === 'closed')
    log.warn({ refundId, intentId, result }, 'a refund failed that an admin has closed')
  else if (result.failure !== null) log.error({ refundId, intentId, result }, 'a refund failed, retrying')
  else if (change.from === 'closed')
    log.error({ refundId, intentId, kind }, 'the provider made a refund that an admin has closed')
  else if (change.event) log.warn({ refundId, intentId, kind }, 'refunded a payment')
}
