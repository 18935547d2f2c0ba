import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/shop-error.ts'
import type { PaymentDeps } from './deps.ts'
import { IntentNotFound, IntentStateConflict, type PaymentIntent, ProviderUnavailable } from './gateway.ts'
import * as repository from './repository.ts'

export type { PaymentDeps } from './deps.ts'
export type { PaymentEvent, PaymentGateway, PaymentIntent } from './gateway.ts'
export { presentRefund } from './present.ts'
export { listRefunds, listRefundsOfOrder } from './queries.ts'
export { askForRefund, claimRefunds, keepRefund, recordRefund } from './refunds.ts'

/**
 * How an intent stands at the provider now; null where the provider does not know it.
 *
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export function findIntent({ gateway }: PaymentDeps, intentId: string): Promise<PaymentIntent | null> {
  // A browser may name anything: what cannot be an id of the provider's is not looked up, in whatever way it would be refused.
  if (!/^\w+$/.test(intentId)) return Promise.resolve(null)
  return gateway.retrieveIntent(intentId).catch((error: unknown) => {
    if (error instanceof IntentNotFound) return null
    throw asShopError(error)
  })
}

/**
 * The intent of an order that can still be paid, is being paid or has been paid; null where there is none, and a new
 * one may be opened.
 *
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function findLiveIntent(deps: PaymentDeps, orderId: string): Promise<PaymentIntent | null> {
  const payment = await repository.findLivePayment(deps.db, orderId)
  if (!payment) return null
  const intent = await findIntent(deps, payment.intent_id)
  if (intent && intent.status !== 'canceled') return intent
  await repository.setStatus(deps.db, payment.intent_id, 'cancelled')
  return null
}

/**
 * Opens a payment at the provider. It is not the order's until `keepPayment` has kept it. Two who open one at the same
 * moment get the same intent, because the provider knows the attempt by its number.
 *
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function openPayment(
  { db, gateway }: PaymentDeps,
  order: { id: string; amountCents: number },
): Promise<{ intent: PaymentIntent; attempt: number }> {
  const attempt = (await repository.countAttempts(db, order.id)) + 1
  const intent = await gateway
    .createIntent({ orderId: order.id, amountCents: order.amountCents, attempt })
    .catch((error: unknown) => {
      throw asShopError(error)
    })
  return { intent, attempt }
}

/**
 * Keeps an opened payment; call it with the order's row locked and unpaid.
 *
 * @returns false where another tab was quicker and has kept another one
 */
export async function keepPayment(
  db: Kysely<Database>,
  orderId: string,
  { intent, attempt }: { intent: PaymentIntent; attempt: number },
): Promise<boolean> {
  const { id: intent_id, amountCents: amount_cents } = intent
  await repository.insertPayment(db, { intent_id, order_id: orderId, attempt, amount_cents })
  return (await repository.findLivePayment(db, orderId))?.intent_id === intent_id
}

/** Whether an order has a payment that is open, under way or done. */
export async function hasLivePayment(db: Kysely<Database>, orderId: string): Promise<boolean> {
  return (await repository.findLivePayment(db, orderId)) !== undefined
}

/**
 * Closes the open payment of an order, so that nobody can pay it any more.
 *
 * @returns null once it is closed, or the intent that stands in the way: it is being paid, or has been
 * @throws PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function closePayment(deps: PaymentDeps, orderId: string): Promise<PaymentIntent | null> {
  const payment = await repository.findLivePayment(deps.db, orderId)
  if (!payment) return null
  const blocking = await cancelIntent(deps, payment.intent_id)
  if (!blocking) await repository.setStatus(deps.db, payment.intent_id, 'cancelled')
  return blocking
}

/** Cancels an intent; answers it where it has moved on to being paid. */
export async function cancelIntent(
  { gateway }: PaymentDeps,
  intentId: string,
): Promise<PaymentIntent | null> {
  try {
    await gateway.cancelIntent(intentId)
    return null
  } catch (error) {
    if (error instanceof IntentNotFound) return null
    if (error instanceof IntentStateConflict) return error.intent
    throw asShopError(error)
  }
}

/**
 * Keeps how an intent stands that has not succeeded; call it with the order's row locked.
 *
 * @returns what its order is to be told, if that is news
 */
export async function recordProgress(
  db: Kysely<Database>,
  intent: PaymentIntent,
): Promise<{ orderId: string; kind: 'processing' | 'payment_failed' } | null> {
  const statuses = { processing: 'processing', canceled: 'cancelled' } as const
  const status = intent.status in statuses ? statuses[intent.status as keyof typeof statuses] : 'open'
  const change = await repository.setProgress(db, intent.id, status)
  if (change?.to === 'processing') return { orderId: change.order_id, kind: 'processing' }
  if (change?.from === 'processing') return { orderId: change.order_id, kind: 'payment_failed' }
  return null
}

/** Keeps that the provider does not know an intent (any more): nobody can pay it. */
export function recordUnknown(db: Kysely<Database>, intentId: string): Promise<void> {
  return repository.setStatus(db, intentId, 'cancelled')
}

/** The intent of another payment of an order that can still bring money, or has brought it. */
export async function findOtherLivePayment(
  db: Kysely<Database>,
  orderId: string,
  intentId: string,
): Promise<string | null> {
  const live = await repository.findLivePayment(db, orderId)
  return live && live.intent_id !== intentId ? live.intent_id : null
}

/** Keeps that an intent has paid its order, whose row is locked. */
export async function recordSuccess(
  db: Kysely<Database>,
  orderId: string,
  intent: PaymentIntent,
): Promise<void> {
  await repository.keepOutcome(db, rowOf(orderId, intent), { status: 'succeeded' })
}

const rowOf = (order_id: string, intent: PaymentIntent) => ({
  intent_id: intent.id,
  order_id,
  amount_cents: intent.amountCents,
})

/** Intents that were opened before this moment and are not settled yet; those first that wait for longest. */
export function listUnsettledIntents(
  db: Kysely<Database>,
  openedBefore: Date,
  limit: number,
): Promise<string[]> {
  return repository.listUnsettledIntents(db, openedBefore, limit)
}

/** Puts an intent at the end of the line of those to look at. */
export function markLookedAt(db: Kysely<Database>, intentId: string): Promise<void> {
  return repository.markLookedAt(db, intentId)
}

function asShopError(error: unknown): unknown {
  return error instanceof ProviderUnavailable
    ? new ShopError('PAYMENT_PROVIDER_UNAVAILABLE', { cause: error })
    : error
}
