import type { Kysely } from 'kysely'
import { formatDollars, toCents, toDollars } from '../../../contract/money.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import type { NewRefund } from '../../../contract/payments.ts'
import { toRestCents, toWorthCents } from '../../../contract/refund-amounts.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as orders from '../orders/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { type Refundable, toRefundedTax } from './rules.ts'
import { type PaymentDeps, requestRefund } from './service.ts'
import { ProviderRejected, ProviderUnavailable } from './stripe.ts'

/*
 * Refunds of paid orders. Each is recorded with its order locked, and requested from the provider afterwards, without a
 * lock. If the provider is unavailable, the job `retry refunds` requests it again.
 */

type LockedOrder = NonNullable<Awaited<ReturnType<typeof orders.lockOrder>>>

/** The share of a line, or of the shipping (line 0), and its refunds. */
type Share = Refundable & orders.LinePieces & { lineNumber: number }

/** A refunded part of a share. `restocked`: the pieces that go back to the stock. */
interface Part {
  share: Share
  cents: number
  pieces: number
  restocked: number
}

/**
 * Refunds amounts of a paid order: of pieces that are not shipped, of returned ones, or without pieces. The same idempotency key
 * refunds once.
 *
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID, PIECES_NOT_AVAILABLE (with the `lines`), REFUND_TOO_LARGE (with what is `left`),
 * IDEMPOTENCY_KEY_REUSED, INVALID_REQUEST if the order has no such line
 */
export async function refundOrder(
  deps: PaymentDeps,
  id: string,
  request: NewRefund,
  { key, refundedBy, also }: RefundOptions,
): Promise<queries.ListedRefund> {
  const { kind, reason } = request
  const recorded = await inTransaction(deps.db, async (tx) => {
    const order = await orders.lockOrder(tx, id)
    if (!order || order.status === 'cancelled') throw new ShopError('ORDER_NOT_FOUND')
    const earlier = await queries.findRefundByKey(tx, id, key)
    if (earlier) {
      if (isSame(earlier, request)) return { refund: earlier, isOrderCancelled: false }
      throw new ShopError('IDEMPOTENCY_KEY_REUSED')
    }
    if (orders.toPaymentAmounts(order).paidCents === 0) throw new ShopError('ORDER_NOT_PAID')
    const shares = await listRefundable(tx, order)
    const parts = toParts(shares, request)
    const more = { kind, reason, key, by: refundedBy, returnId: request.returnId }
    const recorded = await recordRefund(deps, tx, { order, shares, parts, ...more })
    await also?.(tx)
    return recorded
  })
  await announceRefund(deps, recorded)
  return requireRefund(deps.db, recorded.refund.id)
}

interface RefundOptions {
  key: string
  refundedBy: Actor
  /** Runs in the transaction of a new refund. */
  also?: (tx: Kysely<Database>) => Promise<void>
}

const isSame = (refund: queries.ListedRefund, { kind, lines, reason, returnId }: NewRefund): boolean =>
  refund.kind === kind &&
  refund.return_id === (returnId ?? null) &&
  refund.reason === reason &&
  refund.lines.length === lines.length &&
  lines.every(({ line, amount, pieces, restock = pieces }) =>
    refund.lines.some(
      (each) =>
        each.line_number === line &&
        each.amount_cents === toCents(amount) &&
        each.pieces === pieces &&
        each.restocked === restock,
    ),
  )

/** Checks what is to be refunded against what is left of the order. */
function toParts(shares: Share[], { kind, lines }: NewRefund): Part[] {
  const found = lines.map(({ line, amount, pieces, restock = pieces }, index) => {
    const share = shares.find(({ lineNumber }) => lineNumber === line)
    if (!share) {
      const fields = { [`lines.${index}.line`]: 'This order has no such line' }
      throw new ShopError('INVALID_REQUEST', { fields })
    }
    return { share, cents: toCents(amount), pieces, restocked: restock }
  })
  const missing = found.filter(({ share, pieces }) => pieces > toAvailablePieces(share, kind))
  if (missing.length > 0) {
    const numbers = missing.map(({ share }) => share.lineNumber)
    throw new ShopError('PIECES_NOT_AVAILABLE', { details: { lines: numbers } })
  }
  for (const { share, cents, pieces } of found) {
    // More than the pieces are worth is goodwill, which is a refund of its own.
    const maxCents = pieces > 0 ? toWorthCents(share, pieces) : toRestCents(share)
    if (cents > maxCents) throw tooLarge(maxCents)
  }
  return found
}

const toAvailablePieces = (share: Share, kind: NewRefund['kind']): number =>
  kind === 'cancellation' ? share.openPieces : share.shippedPieces - share.returnedPieces

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
 * @throws ORDER_ALREADY_SHIPPED, even if only a part was shipped; CANCELLATION_NEEDS_REVIEW for a buyer; NOT_ALLOWED for
 *   staff who may not return money
 */
export async function cancelPaidOrder(
  deps: PaymentDeps,
  id: string,
  cancelledBy: Caller | Guest,
): Promise<queries.Refund | null> {
  const recorded = await inTransaction(deps.db, async (tx) => {
    const order = await orders.lockOrder(tx, id)
    if (order?.status === 'refunded') return null
    orders.requireTransition('refund', order?.status ?? 'cancelled')
    if (!order) throw new ShopError('ORDER_NOT_FOUND')
    const mayRefund = cancelledBy.permissions.has('refunds')
    // The link of an order by phone opens an account's order too: its reader is a guest.
    const isBuyer = cancelledBy.customerId === null || order.customer_id === cancelledBy.customerId
    if (!mayRefund && !isBuyer) throw new ShopError('NOT_ALLOWED')
    if (!mayRefund && (await orders.hasReturnNote(tx, id))) throw new ShopError('CANCELLATION_NEEDS_REVIEW')
    const shares = await listRefundable(tx, order)
    if (shares.some(({ shippedPieces }) => shippedPieces > 0)) throw new ShopError('ORDER_ALREADY_SHIPPED')
    return recordCancellation(deps, tx, order, { shares, by: cancelledBy })
  })
  if (!recorded) return null
  await announceRefund(deps, recorded)
  return recorded.refund
}

interface Cancellation {
  shares: Share[]
  /** The pieces to cancel, by line; without it all that are open. */
  pieces?: Map<number, number>
  by: Actor | Guest
  returnId?: string
}

/**
 * Cancels open pieces of a locked paid order. The last ones of an order of which nothing is shipped return the rest of its
 * amount. Call `announceRefund` after the commit.
 */
export async function recordCancellation(
  deps: PaymentDeps,
  tx: Kysely<Database>,
  order: LockedOrder,
  { shares, pieces, by, returnId }: Cancellation,
): Promise<RecordedRefund> {
  const open = shares.map((share) => {
    const count = pieces ? Math.min(pieces.get(share.lineNumber) ?? 0, share.openPieces) : share.openPieces
    return { share, cents: toWorthCents(share, count), pieces: count, restocked: count }
  })
  const isWhole = toStatusAfter(shares, open) === 'refunded'
  const parts = isWhole
    ? open.map((part) => ({ ...part, cents: toRestCents(part.share) }))
    : open.filter((part) => part.pieces > 0)
  const reason = orders.cancelledReasons[isWhole ? 'order' : 'items']
  const more = { kind: 'cancellation', reason, key: null, by, returnId } as const
  return recordRefund(deps, tx, { order, shares, parts, ...more })
}

/** Returns the shares of an order with their pieces and refunds. */
export const listRefundable = async (tx: Kysely<Database>, { id, status }: LockedOrder): Promise<Share[]> =>
  (await queries.listShares(tx, id)).map((share) => ({
    ...share,
    ...orders.toLinePieces(status, { ...share, quantity: share.pieces }),
    refundedPieces: share.cancelled_pieces + share.returned_pieces,
  }))

interface NewOrderRefund {
  order: LockedOrder
  shares: Share[]
  parts: Part[]
  kind: NewRefund['kind']
  reason: string
  key: string | null
  by: Actor | Guest
  returnId?: string | undefined
}

export interface RecordedRefund {
  refund: queries.Refund
  /** Whether it made the order `refunded`. */
  isOrderCancelled: boolean
}

/** Records a refund with its order locked: refund and lines, stock, status, coupon, events and email. */
async function recordRefund(
  deps: PaymentDeps,
  tx: Kysely<Database>,
  { order, shares, parts, kind, reason, key, by, returnId }: NewOrderRefund,
): Promise<RecordedRefund> {
  if (!order.payment_provider || !order.transaction_id) throw new Error('a paid order has no payment')
  const refund = await repository.insertRefund(
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
      return_id: returnId ?? null,
    },
    parts.map(({ share, cents, pieces, restocked }) => ({
      line_number: share.lineNumber,
      pieces,
      restocked,
      amount_cents: cents,
      tax_cents: toRefundedTax(share, cents),
    })),
  )
  const status = kind === 'cancellation' ? toStatusAfter(shares, parts) : null
  await orders.applyRefund(tx, order.id, { refundId: refund.id, cents: refund.amount_cents, status, by })
  const author = orders.toAuthor(by)
  if (kind === 'cancellation') await orders.addEvent(tx, order.id, 'items_cancelled', author)
  // Not by this author: the other items were shipped before.
  if (status === 'shipped') await orders.addEvent(tx, order.id, 'shipped')
  // The whole amount may have been refunded before.
  const hasAmount = refund.amount_cents > 0
  if (hasAmount) await orders.addEvent(tx, order.id, 'refund_due', kind === 'cancellation' ? {} : author)
  // Without it the buyer would wait for items that are cancelled for nothing.
  if (hasAmount || kind === 'cancellation') await deps.orderEmails?.enqueueRefund(tx, refund.id, order.id)
  return { refund, isOrderCancelled: status === 'refunded' }
}

/** Returns the status of an order after a cancellation: it is final when no open piece is left. */
function toStatusAfter(shares: Share[], parts: Part[]): 'paid' | 'shipped' | 'refunded' {
  const cancelled = (share: Share) => parts.find((part) => part.share === share)?.pieces ?? 0
  if (shares.some((share) => share.openPieces > cancelled(share))) return 'paid'
  return shares.some(({ shippedPieces }) => shippedPieces > 0) ? 'shipped' : 'refunded'
}

/** Call it after the commit. If the provider is unavailable, the job requests the refund. */
export async function announceRefund(
  deps: PaymentDeps,
  { refund, isOrderCancelled }: RecordedRefund,
): Promise<void> {
  if (isOrderCancelled) orders.countOrder('refunded')
  deps.orderEmails?.wake()
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
 * @throws NOT_FOUND, REFUND_NOT_FAILED, REFUND_NOT_COMPLETE if a process has requested it in the meantime,
 * PAYMENT_PROVIDER_UNAVAILABLE, PAYMENT_PROVIDER_REJECTED
 */
export async function closeRefund(
  deps: PaymentDeps,
  id: string,
  note: string,
  closedBy: Actor,
): Promise<queries.ListedRefund> {
  const { db, gateway } = deps
  const refund = await requireRefund(db, id)
  if (refund.status !== 'failed') throw new ShopError('REFUND_NOT_FAILED')
  const made = await gateway.findRefund({ intentId: refund.intent_id, key: id }).catch((error: unknown) => {
    if (!(error instanceof ProviderRejected)) throw error
    throw new ShopError('PAYMENT_PROVIDER_REJECTED', { cause: error })
  })
  if (made) {
    await requestRefund(deps, await requireRefund(db, id))
    throw new ShopError('REFUND_NOT_FAILED')
  }
  await inTransaction(db, async (tx) => {
    await orders.lockOrder(tx, refund.order_id)
    if (!(await repository.closeRefund(tx, refund, note))) {
      const { status } = await requireRefund(tx, id)
      throw new ShopError(status === 'failed' ? 'REFUND_NOT_COMPLETE' : 'REFUND_NOT_FAILED')
    }
    await recordChange(tx, {
      area: 'refunds',
      subject: refund.order_id,
      name: `Refund of ${formatDollars(toDollars(refund.amount_cents))} for #${orderNumber(refund.order_id)}`,
      before: { status: refund.status },
      after: { status: 'closed', note },
      actor: closedBy,
    })
  })
  return requireRefund(db, id)
}
