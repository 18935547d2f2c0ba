import type { Kysely } from 'kysely'
import { formatDollars, toCents, toDollars } from '../../../contract/money.ts'
import type { NewRefund } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import * as orders from '../orders/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { type Refundable, toRefundedTax, toRestCents } from './rules.ts'
import { type PaymentDeps, requestRefund } from './service.ts'
import { ProviderUnavailable } from './stripe.ts'

/*
 * Refunds of paid orders. Each is recorded with its order locked, and requested from the provider afterwards, without a
 * lock. If the provider is unavailable, the job `retry refunds` requests it again.
 */

type LockedOrder = NonNullable<Awaited<ReturnType<typeof orders.lockOrder>>>

/** The share of a line, or of the shipping (line 0), and its refunds. */
type Share = orders.OrderShare & Refundable

/** An amount to refund of a share, in cents. `pieces`: they are cancelled, and go back to the stock. */
interface Part {
  share: Share
  cents: number
  pieces: number
}

/**
 * Refunds amounts of a paid order. The same idempotency key refunds once.
 *
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID, REFUND_TOO_LARGE (with what is `left`), IDEMPOTENCY_KEY_REUSED
 */
export async function refundAmounts(
  deps: PaymentDeps,
  id: string,
  { lines, reason }: NewRefund,
  { key, refundedBy }: { key: string; refundedBy: Actor },
): Promise<queries.ListedRefund> {
  const refund = await inTransaction(deps.db, async (tx) => {
    const order = await orders.lockOrder(tx, id)
    if (!order || order.status === 'cancelled') throw new ShopError('ORDER_NOT_FOUND')
    const earlier = await queries.findRefundByKey(tx, id, key)
    if (earlier) {
      if (isSame(earlier, { lines, reason })) return earlier
      throw new ShopError('IDEMPOTENCY_KEY_REUSED')
    }
    if (orders.toPaymentAmounts(order).paidCents === 0) throw new ShopError('ORDER_NOT_PAID')
    const shares = await listRefundable(tx, id)
    const parts = lines.map(({ line, amount }): Part => {
      const share = shares.find(({ lineNumber }) => lineNumber === line)
      const leftCents = share ? toRestCents(share) : 0
      if (!share || toCents(amount) > leftCents) throw tooLarge(leftCents)
      return { share, cents: toCents(amount), pieces: 0 }
    })
    const recorded = await recordRefund(tx, order, parts, { kind: 'goodwill', reason, key })
    await orders.addRefunded(tx, id, recorded.amount_cents)
    await orders.addEvent(tx, id, 'refund_due', {
      actor_id: refundedBy.customerId,
      client_ip: refundedBy.ip,
    })
    await deps.orderEmails?.enqueueRefund(tx, recorded.id, order)
    return recorded
  })
  deps.orderEmails?.wake()
  await requestNow(deps, refund)
  return requireRefund(deps.db, refund.id)
}

const isSame = (refund: queries.ListedRefund, { lines, reason }: NewRefund): boolean =>
  refund.reason === reason &&
  refund.lines.length === lines.length &&
  lines.every(({ line, amount }) =>
    refund.lines.some((each) => each.line_number === line && each.amount_cents === toCents(amount)),
  )

function tooLarge(leftCents: number): ShopError {
  const left = toDollars(leftCents)
  const message =
    leftCents > 0
      ? `At most ${formatDollars(left)} can still be refunded here.`
      : 'Nothing can be refunded here any more.'
  return new ShopError('REFUND_TOO_LARGE', { details: { left, message } })
}

/**
 * Cancels a paid order and refunds what is left of its amount.
 *
 * @returns null if the order was cancelled before
 * @throws ORDER_ALREADY_SHIPPED
 */
export async function cancelPaidOrder(
  deps: PaymentDeps,
  id: string,
  cancelledBy: Actor | Guest,
): Promise<queries.Refund | null> {
  const refund = await inTransaction(deps.db, async (tx) => {
    const order = await orders.lockOrder(tx, id)
    if (order?.status === 'refunded') return null
    orders.requireTransition('refund', order?.status ?? 'cancelled')
    if (!order) throw new ShopError('ORDER_NOT_FOUND')
    const shares = await listRefundable(tx, id)
    const parts = shares.map((share): Part => ({ share, cents: toRestCents(share), pieces: share.pieces }))
    const recorded = await recordRefund(tx, order, parts, { kind: 'cancellation', reason: 'order cancelled' })
    await orders.cancelPaidOrder(tx, id, recorded.id, cancelledBy)
    // Its whole amount may have been refunded before.
    if (recorded.amount_cents > 0) {
      await orders.addEvent(tx, id, 'refund_due')
      await deps.orderEmails?.enqueueRefund(tx, recorded.id, order)
    }
    return recorded
  })
  if (!refund) return null
  orders.countOrder('refunded')
  deps.orderEmails?.wake()
  await requestNow(deps, refund)
  return refund
}

/** Returns the shares of an order with their refunds. */
async function listRefundable(tx: Kysely<Database>, orderId: string): Promise<Share[]> {
  const refunded = await queries.listRefundedLines(tx, orderId)
  const cents = new Map(refunded.map(({ line_number, amount_cents }) => [line_number, amount_cents]))
  const shares = await orders.listShares(tx, orderId)
  return shares.map((share) => ({ ...share, refundedCents: cents.get(share.lineNumber) ?? 0 }))
}

function recordRefund(
  tx: Kysely<Database>,
  order: LockedOrder,
  parts: Part[],
  { kind, reason, key = null }: { kind: 'cancellation' | 'goodwill'; reason: string; key?: string | null },
): Promise<queries.Refund> {
  if (!order.payment_provider || !order.transaction_id) throw new Error('a paid order has no payment')
  return repository.insertRefund(
    tx,
    {
      id: newId(),
      provider: order.payment_provider,
      intent_id: order.transaction_id,
      order_id: order.id,
      amount_cents: parts.reduce((sum, { cents }) => sum + cents, 0),
      kind,
      reason,
      idempotency_key: key,
    },
    parts.map(({ share, cents, pieces }) => ({
      line_number: share.lineNumber,
      pieces,
      restocked: pieces,
      amount_cents: cents,
      tax_cents: toRefundedTax(share, cents),
    })),
  )
}

/** Requests a refund that was just recorded. If the provider is unavailable, the job does it. */
async function requestNow(deps: PaymentDeps, refund: queries.Refund): Promise<void> {
  if (refund.status !== 'due') return
  await requestRefund(deps, refund).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
  })
}

async function requireRefund(db: Kysely<Database>, id: string): Promise<queries.ListedRefund> {
  const refund = await queries.findRefund(db, id)
  if (!refund) throw new ShopError('NOT_FOUND')
  return refund
}

/**
 * Closes a failed refund: the customer got the money in another way. It still counts as refunded. First asks the provider
 * once more, because a refund whose response was lost may exist.
 *
 * @throws NOT_FOUND, REFUND_NOT_FAILED, PAYMENT_PROVIDER_UNAVAILABLE
 */
export async function closeRefund(
  deps: PaymentDeps,
  id: string,
  note: string,
): Promise<queries.ListedRefund> {
  const { db, gateway } = deps
  const { status, intent_id: intentId, order_id: orderId } = await requireRefund(db, id)
  if (status !== 'failed') throw new ShopError('REFUND_NOT_FAILED')
  if (await gateway.hasRefund({ intentId, key: id })) {
    await requestRefund(deps, await requireRefund(db, id))
    throw new ShopError('REFUND_NOT_FAILED')
  }
  await inTransaction(db, async (tx) => {
    await orders.lockOrder(tx, orderId)
    if (!(await repository.closeRefund(tx, id, note))) throw new ShopError('REFUND_NOT_FAILED')
  })
  return requireRefund(db, id)
}
