import type { Kysely } from 'kysely'
import { toCents } from '../../../contract/money.ts'
import { refuseMove } from '../../../contract/order-status.ts'
import type { NewPaymentIntent } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller } from '../../guards.ts'
import { transact } from '../../platform/retry.ts'
import { ShopError } from '../../platform/shop-error.ts'
import * as payments from '../payments/service.ts'
import * as queries from './queries.ts'
import { keepRefund, makeRefund } from './refunds.ts'
import * as repository from './repository.ts'
import { refuseSettlement } from './rules.ts'

/** What an intent has done to its order; `refunded`: its money goes back, or has gone. */
export type Settlement = 'paid' | 'not paid' | 'refunded' | 'not ours'

/**
 * Settles an order by how its intent stands at the provider. Webhook, browser, cancellation and the reconciling job
 * all come here; whoever comes second changes nothing. Money that settles no order of ours goes back in full.
 *
 * @param intent as just retrieved
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function settle(
  deps: payments.PaymentDeps,
  intent: payments.PaymentIntent,
): Promise<Settlement> {
  if (intent.status !== 'succeeded') {
    await transact(deps.db, async (tx) => {
      if (intent.orderId) await repository.lockOrder(tx, intent.orderId)
      const news = await payments.recordProgress(tx, intent)
      if (news) await repository.insertShopEvent(tx, news)
    })
    return 'not paid'
  }
  const verdict = await transact(deps.db, async (tx) => {
    const order = intent.orderId ? await repository.lockOrder(tx, intent.orderId) : undefined
    // Another shop may share the provider's account: what names no order of ours is left alone.
    if (!order) return 'not ours'
    const refusal = refuseSettlement(order, intent)
    if (refusal) {
      await keepRefund(tx, order.id, intent, refusal)
      return 'refunded'
    }
    if (order.status !== 'unpaid') return 'paid'
    const rival = await payments.findOtherLivePayment(tx, order.id, intent.id)
    if (rival) return { orderId: order.id }
    await repository.markPaid(tx, order.id, intent.id)
    await payments.recordSuccess(tx, order.id, intent)
    return 'paid'
  })
  // No lock is held from here on. Where this fails, the provider's event comes again, and the reconciling job.
  if (verdict === 'refunded') await makeRefund(deps, intent.id, { again: false })
  if (typeof verdict === 'string') return verdict
  const blocking = await payments.closePayment(deps, verdict.orderId)
  if (blocking && (await settle(deps, blocking)) !== 'paid') throw new ShopError('PAYMENT_IN_PROGRESS')
  return settle(deps, intent)
}

/** Settles by an intent's id: what an event of the provider asks for. */
export async function settleIntent(deps: payments.PaymentDeps, intentId: string): Promise<Settlement> {
  const intent = await payments.findIntent(deps, intentId)
  if (intent) return settle(deps, intent)
  await payments.recordUnknown(deps.db, intentId)
  return 'not ours'
}

/**
 * Opens the payment of an unpaid order of the caller's, or finds the one that is open; answers its client secret.
 *
 * @throws ORDER_NOT_FOUND, AMOUNT_MISMATCH, ORDER_ALREADY_PAID, ORDER_ALREADY_SHIPPED, PAYMENT_IN_PROGRESS,
 * PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function openPayment(
  deps: payments.PaymentDeps,
  caller: Caller,
  request: NewPaymentIntent,
): Promise<string> {
  const order = await requirePayableOrder(deps.db, caller, request)
  const live = await payments.findLiveIntent(deps, order.id)
  if (live) {
    if (live.status !== 'succeeded' && live.status !== 'processing') return live.clientSecret
    const outcome = await settle(deps, live)
    throw new ShopError(outcome === 'paid' ? 'ORDER_ALREADY_PAID' : 'PAYMENT_IN_PROGRESS')
  }
  const opened = await payments.openPayment(deps, { id: order.id, amountCents: order.amount_cents })
  const { refusal, kept } = await transact(deps.db, async (tx) => {
    const locked = await repository.lockOrder(tx, order.id)
    const refusal = refuseMove('pay', locked?.status ?? 'cancelled')
    return { refusal, kept: !refusal && (await payments.keepPayment(tx, order.id, opened)) }
  })
  if (kept) return opened.intent.clientSecret
  // The order was cancelled or paid while the provider was asked, or another tab has opened its payment.
  await payments.cancelIntent(deps, opened.intent.id)
  if (refusal) throw new ShopError(refusal)
  return openPayment(deps, caller, request)
}

async function requirePayableOrder(
  db: Kysely<Database>,
  caller: Caller,
  { orderId, amount }: NewPaymentIntent,
) {
  const amountCents = toCents(amount)
  const isPlausible = Number.isSafeInteger(amountCents) && Math.abs(amountCents) <= 2_147_483_647
  const found = orderId
    ? await queries.findOrder(db, orderId)
    : isPlausible && (await queries.findUnpaidOrderOfAmount(db, caller.customerId, amountCents))
  if (!found || found.customer_id !== caller.customerId) throw new ShopError('ORDER_NOT_FOUND')
  const refusal = refuseMove('pay', found.status)
  if (refusal) throw new ShopError(refusal)
  if (found.amount_cents !== amountCents) throw new ShopError('AMOUNT_MISMATCH')
  return found
}

/**
 * Looks whether the provider has the money for an order of the caller's, and marks it paid.
 *
 * @returns false where it was paid by this very intent already
 * @throws ORDER_NOT_FOUND, PAYMENT_NOT_CONFIRMED, PAYMENT_IN_PROGRESS, PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function confirmPayment(
  deps: payments.PaymentDeps,
  caller: Caller,
  orderId: string,
  intentId: string,
): Promise<boolean> {
  const order = await queries.findOrder(deps.db, orderId)
  if (!order || order.customer_id !== caller.customerId || order.status === 'cancelled') {
    throw new ShopError('ORDER_NOT_FOUND')
  }
  if (order.transaction_id === intentId) return false
  const intent = await payments.findIntent(deps, intentId)
  if (intent?.orderId !== order.id) throw new ShopError('PAYMENT_NOT_CONFIRMED')
  const outcome = await settle(deps, intent)
  if (outcome === 'paid') return true
  throw new ShopError(intent.status === 'processing' ? 'PAYMENT_IN_PROGRESS' : 'PAYMENT_NOT_CONFIRMED')
}
