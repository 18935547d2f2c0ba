import type { Kysely } from 'kysely'
import { nameItem } from '../../../contract/item-names.ts'
import type { NewWithdrawal, WithdrawalReceipt } from '../../../contract/returns.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { normalizeIp } from '../../platform/http/ip.ts'
import { type RateLimiter, tooManyRequests } from '../../platform/rate-limiter.ts'
import * as orders from '../orders/service.ts'
import * as payments from '../payments/service.ts'
import type { returnLimits } from './emails.ts'
import { presentReceipt } from './present.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { type ReturnDeps, toOwner } from './service.ts'

/*
 * Withdrawals from the contract, as Article 11a of Directive 2011/83/EU asks for them. Each is recorded and acknowledged.
 */

interface WithdrawalDeps extends ReturnDeps {
  rateLimiter: RateLimiter<keyof typeof returnLimits>
}

/**
 * Records a withdrawal. With `orderId`, open items are cancelled and refunded, and shipped ones become an approved return.
 * Without it no order is read, so neither the response nor its time reveals one.
 *
 * @param key the idempotency key of the form, which withdraws once; null: each call is a withdrawal
 * @throws TOO_MANY_REQUESTS, NOT_FOUND if the shop has no withdrawals, NOT_SIGNED_IN and ORDER_NOT_FOUND if the reader is not
 * the buyer of `orderId`, IDEMPOTENCY_KEY_REUSED
 */
export async function withdraw(
  deps: WithdrawalDeps,
  call: orders.OrderCall,
  request: NewWithdrawal,
  key: string | null,
): Promise<WithdrawalReceipt> {
  if (!deps.returnTerms.withdrawal) throw new ShopError('NOT_FOUND')
  const own = await findOwnOrder(deps, call, request.orderId)
  const ip = normalizeIp(call.request.ip) ?? ''
  const secondsToWait = await deps.rateLimiter.tryCountIp('withdrawalsPerIp', ip)
  if (secondsToWait > 0) {
    // A repeated request returns its withdrawal, even if the network has reached the limit since, or by the first request.
    const isRecorded = key !== null && (await queries.findReturnByKey(deps.db, key))
    if (!isRecorded) throw tooManyRequests(secondsToWait)
  }
  const row = own ? await withdrawFrom(deps, own, request, key) : await record(deps, request, key)
  deps.returnEmails?.wake()
  return presentReceipt(row)
}

interface OwnOrder {
  order: orders.Order
  by: Caller | Guest
}

/** Returns the order of its buyer; null if the withdrawal names none by its id. */
async function findOwnOrder(
  deps: WithdrawalDeps,
  call: orders.OrderCall,
  id: string | undefined,
): Promise<OwnOrder | null> {
  if (id === undefined) return null
  try {
    const { order, reader: by } = await orders.requireOrderByKey(deps, call, id, null)
    return { order, by }
  } catch (error) {
    // The token may have expired: the browser gets a new one and sends the call again.
    const isSignedOut = call.caller === null && error instanceof ShopError && error.code === 'ORDER_NOT_FOUND'
    throw isSignedOut ? new ShopError('NOT_SIGNED_IN') : error
  }
}

/** The fields that the buyer has written, as they are stored. */
type Statement = Pick<queries.ReturnRow, 'order_number' | 'email' | 'name' | 'note'>

/** Returns the earlier withdrawal with the same key. @throws IDEMPOTENCY_KEY_REUSED if it is another statement */
function requireSame(earlier: queries.ReturnRow | undefined, now: Statement): queries.ReturnRow {
  const fields = ['order_number', 'email', 'name', 'note'] as const
  if (earlier?.is_withdrawal && fields.every((field) => earlier[field] === now[field])) return earlier
  throw new ShopError('IDEMPOTENCY_KEY_REUSED')
}

/** Records a withdrawal without proof of the buyer. An admin assigns it to an order. */
function record(
  deps: WithdrawalDeps,
  { orderNumber, email, name, note = '' }: NewWithdrawal,
  key: string | null,
): Promise<queries.ReturnRow> {
  const statement = { order_number: orderNumber, email, name, note }
  const values = { ...statement, id: newId(), order_id: null, is_withdrawal: true, idempotency_key: key }
  return inTransaction(deps.db, async (tx) => {
    const row = await repository.insertReturn(tx, values, [])
    if (!row) return requireSame(key === null ? undefined : await queries.findReturnByKey(tx, key), statement)
    await acknowledge(deps, tx, row)
    return row
  })
}

async function withdrawFrom(
  deps: WithdrawalDeps,
  { order: { id: orderId }, by }: OwnOrder,
  request: NewWithdrawal,
  key: string | null,
): Promise<queries.ReturnRow> {
  const { row, isCancelled, refunds } = await inTransaction(deps.db, async (tx) => {
    const locked = await orders.lockOrder(tx, orderId)
    const order = await orders.findOrder(tx, orderId)
    if (!locked || !order) throw new ShopError('ORDER_NOT_FOUND')
    const note = request.note || nameItems(order, request.lines ?? [])
    const statement = { ...toOwner(order), name: request.name, note }
    const isUnpaid = order.status === 'unpaid'
    // Items in words are for an admin.
    const isInWords = Boolean(request.note && !request.lines)
    const earlier = key === null ? undefined : await queries.findReturnByKey(tx, key)
    if (earlier) {
      const row = requireSame(earlier, statement)
      // The first request may have failed after its commit, before it cancelled the order. It may be paid by now.
      const isOpenOrder = isUnpaid || order.status === 'paid'
      const isCancelled =
        isOpenOrder && !isInWords && row.status === 'requested' && !(await hasItemsLeft(tx, order))
      return { row, isCancelled, refunds: [] }
    }
    const chosen = await chooseItems(tx, order, request.lines)
    const id = newId()
    // Products with special return terms are for an admin too. The last items refund the rest of all lines.
    const concerned = chosen.isRest ? undefined : [...chosen.all.keys()]
    const needsReview = isInWords || (await orders.hasReturnNote(tx, orderId, concerned))
    // An unpaid order can only be cancelled as a whole: a part of it is for an admin.
    const isCancelled = isUnpaid && chosen.isRest && !isInWords
    const isOpen =
      isCancelled ||
      (chosen.all.size > 0 && (isUnpaid || needsReview)) ||
      (await isInReturn(tx, orderId, chosen.missing))
    const status = isOpen ? 'requested' : chosen.shipped.size > 0 ? 'approved' : 'closed'
    const items = isInWords ? [] : status === 'approved' ? chosen.shipped : chosen.all
    const canCancelItems = order.status === 'paid' && !needsReview
    const cancellable = canCancelItems ? await listCancellable(tx, order) : []
    const row = await repository.insertReturn(
      tx,
      { ...statement, id, is_withdrawal: true, status, idempotency_key: key },
      [...items].map(([line_number, pieces]) => ({ line_number, pieces })),
    )
    // The withdrawal from another order has the key.
    if (!row) throw new ShopError('IDEMPOTENCY_KEY_REUSED')
    await orders.addEvent(tx, orderId, 'withdrawn', orders.toAuthor(by))
    const refunds: payments.RecordedRefund[] = []
    const cancelItems = async (pieces: Map<number, number>, returnId: string) => {
      const shares = await payments.listRefundable(tx, locked)
      // An admin may have cancelled the pieces of an earlier withdrawal.
      if (!shares.some(({ lineNumber, openPieces }) => openPieces > 0 && pieces.has(lineNumber))) return
      refunds.push(await payments.recordCancellation(deps, tx, locked, { shares, pieces, by, returnId }))
    }
    for (const { id: earlierId, lines } of cancellable) {
      await cancelItems(new Map(lines.map((line) => [line.line_number, line.pieces])), earlierId)
      await repository.updateReturn(tx, earlierId, { status: 'closed' })
    }
    if (canCancelItems && chosen.open.size > 0) await cancelItems(chosen.open, id)
    await acknowledge(deps, tx, row)
    // No admin approves it, and the buyer needs the number and the address.
    if (status === 'approved') await deps.returnEmails?.enqueue(tx, 'return-approved', row)
    return { row, isCancelled, refunds }
  })
  for (const refund of refunds) await payments.announceRefund(deps, refund)
  if (isCancelled) await cancelWithdrawn(deps, orderId, by)
  return row
}

/** Withdrawn pieces by line: those that are not shipped, and those that the buyer has to send back. */
interface ChosenItems {
  open: Map<number, number>
  shipped: Map<number, number>
  all: Map<number, number>
  /** The named lines that have fewer pieces left; undefined if the whole order is withdrawn. */
  missing: NewWithdrawal['lines']
  /** Whether no other pieces of the order are left. */
  isRest: boolean
}

/** Returns the pieces that are still there; without `lines` all of the order. The deadline for returns does not apply. */
async function chooseItems(
  tx: Kysely<Database>,
  order: orders.Order,
  lines: NewWithdrawal['lines'],
): Promise<ChosenItems> {
  const taken = await queries.findTakenPieces(tx, order.id)
  const chosen: ChosenItems = {
    open: new Map(),
    shipped: new Map(),
    all: new Map(),
    missing: undefined,
    isRest: true,
  }
  for (const line of order.lines) {
    const number = line.line_number
    const { openPieces, shippedPieces } = orders.toLinePieces(order.status, line)
    const left = Math.max(0, openPieces + shippedPieces - (taken.get(number) ?? 0))
    const wanted = lines ? (lines.find((each) => each.line === number)?.pieces ?? 0) : left
    const pieces = Math.min(wanted, left)
    if (pieces < left) chosen.isRest = false
    if (pieces === 0) continue
    // A line ships as a whole.
    const part = openPieces > 0 ? chosen.open : chosen.shipped
    part.set(number, pieces)
    chosen.all.set(number, pieces)
  }
  chosen.missing = lines?.filter(({ line, pieces }) => pieces > (chosen.all.get(line) ?? 0))
  return chosen
}

const hasItemsLeft = async (tx: Kysely<Database>, order: orders.Order): Promise<boolean> =>
  (await chooseItems(tx, order, undefined)).all.size > 0

/**
 * Returns the withdrawals from items that are not shipped, which wait only because the order was unpaid. Only a buyer with
 * proof chooses lines.
 */
async function listCancellable(tx: Kysely<Database>, order: orders.Order): Promise<queries.ListedReturn[]> {
  const isOpen = (number: number) =>
    order.lines.some(
      (line) => line.line_number === number && orders.toLinePieces(order.status, line).openPieces > 0,
    )
  const found: queries.ListedReturn[] = []
  for (const row of await queries.listReturnsOfOrder(tx, order.id)) {
    const isWaiting = row.is_withdrawal && row.status === 'requested' && row.lines.length > 0
    if (!isWaiting || !row.lines.every((line) => line.refunded_pieces === 0 && isOpen(line.line_number)))
      continue
    const numbers = row.lines.map((line) => line.line_number)
    if (!(await orders.hasReturnNote(tx, order.id, numbers))) found.push(row)
  }
  return found
}

/** Whether some of these lines, or of all, wait in an open return that is not a withdrawal. */
async function isInReturn(
  tx: Kysely<Database>,
  orderId: string,
  wanted: NewWithdrawal['lines'],
): Promise<boolean> {
  const isWanted = (number: number) => !wanted || wanted.some(({ line }) => line === number)
  return (await queries.listReturnsOfOrder(tx, orderId)).some(
    ({ is_withdrawal, status, lines }) =>
      !is_withdrawal &&
      (status === 'requested' || status === 'approved') &&
      lines.some((line) => line.pieces > line.refunded_pieces && isWanted(line.line_number)),
  )
}

const nameItems = (order: orders.Order, items: { line: number; pieces: number }[]): string =>
  items
    .flatMap(({ line, pieces }) => {
      const ordered = order.lines[line - 1]
      if (!ordered) return []
      return [`${pieces} × ${nameItem({ ...ordered, name: ordered.product_name })}`]
    })
    .join('; ')
    .slice(0, 500)

/**
 * Cancels an order, and refunds it if it was paid in the meantime. It stays open, and an admin sees the withdrawal, if its
 * payment is in progress, it was shipped, or it needs a review.
 */
async function cancelWithdrawn(deps: WithdrawalDeps, orderId: string, by: Caller | Guest): Promise<void> {
  const cancel = async () => {
    const order = await orders.findOrder(deps.db, orderId)
    if (order) await payments.cancelOrRefund(deps, order, by)
  }
  const isPaid = (error: unknown) => error instanceof ShopError && error.code === 'ORDER_ALREADY_PAID'
  try {
    await cancel().catch((error: unknown) => (isPaid(error) ? cancel() : Promise.reject(error as Error)))
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    deps.log.warn({ orderId, code: error.code }, 'a withdrawn order could not be cancelled')
    return
  }
  await repository.closeCancelled(deps.db)
}

/** Queues the email that confirms the receipt, last in the transaction. */
async function acknowledge(
  { returnEmails, rateLimiter, log }: WithdrawalDeps,
  tx: Kysely<Database>,
  row: queries.ReturnRow,
): Promise<void> {
  if (!returnEmails) return
  // Anyone can type the email of a third party.
  if (row.order_id === null && (await rateLimiter.countIn(tx, 'withdrawalEmailsPerEmail', row.email)) > 0) {
    log.warn({ returnId: row.id }, 'dropped an email about a withdrawal: too many in a day')
    return
  }
  await returnEmails.enqueue(tx, 'withdrawal-received', row)
}
