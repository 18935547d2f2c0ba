import type { Kysely } from 'kysely'
import { nameItem } from '../../../contract/item-names.ts'
import type { NewWithdrawal, WithdrawalReceipt } from '../../../contract/returns.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import * as orders from '../orders/service.ts'
import * as payments from '../payments/service.ts'
import type { returnLimits } from './emails.ts'
import { presentReceipt } from './present.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { findReturnable, type ReturnDeps, toOwner } from './service.ts'

/*
 * Withdrawals from the contract, as Article 11a of Directive 2011/83/EU asks for them. Each is recorded and acknowledged.
 */

interface WithdrawalDeps extends ReturnDeps {
  rateLimiter: RateLimiter<keyof typeof returnLimits>
}

/**
 * Records a withdrawal. If its buyer is known, open items are cancelled and refunded, and shipped ones become an approved
 * return. Otherwise no order is read, so neither the response nor its time reveals one.
 *
 * @throws TOO_MANY_REQUESTS, NOT_FOUND if the shop has no withdrawals
 */
export async function withdraw(
  deps: WithdrawalDeps,
  reader: orders.OrderReader,
  request: NewWithdrawal,
): Promise<WithdrawalReceipt> {
  if (!deps.returnTerms.withdrawal) throw new ShopError('NOT_FOUND')
  await deps.rateLimiter.countIp('withdrawalsPerIp', reader.ip ?? '')
  const own = await findOwnOrder(deps, reader, request.orderId)
  const row = own ? await withdrawFrom(deps, own, request) : await record(deps, request)
  deps.returnEmails?.wake()
  return presentReceipt(row)
}

interface OwnOrder {
  order: orders.Order
  by: Actor | Guest
}

/** Returns the order if the reader is its buyer. */
async function findOwnOrder(
  deps: WithdrawalDeps,
  reader: orders.OrderReader,
  id: string | undefined,
): Promise<OwnOrder | null> {
  if (id === undefined || (!reader.caller && reader.key === undefined)) return null
  try {
    const { order, reader: by } = await orders.requireOrderByKey(deps, reader, id, null)
    return { order, by }
  } catch (error) {
    if (error instanceof ShopError && error.code === 'ORDER_NOT_FOUND') return null
    throw error
  }
}

/** Records a withdrawal without proof of the buyer. An admin assigns it to an order. */
function record(deps: WithdrawalDeps, request: NewWithdrawal): Promise<queries.ReturnRow> {
  const { orderNumber, email, name, note = '' } = request
  return inTransaction(deps.db, async (tx) => {
    const values = { id: newId(), order_id: null, is_withdrawal: true, order_number: orderNumber }
    const row = await repository.insertReturn(tx, { ...values, email, name, note }, [])
    await acknowledge(deps, tx, row)
    return row
  })
}

async function withdrawFrom(
  deps: WithdrawalDeps,
  { order: { id: orderId }, by }: OwnOrder,
  request: NewWithdrawal,
): Promise<queries.ReturnRow> {
  let refund: payments.RecordedRefund | null = null
  const { row, isNew, isUnpaid } = await inTransaction(deps.db, async (tx) => {
    const locked = await orders.lockOrder(tx, orderId)
    const order = await orders.findOrder(tx, orderId)
    if (!locked || !order) throw new ShopError('ORDER_NOT_FOUND')
    const note = request.note || nameItems(order, request.lines ?? [])
    const earlier = await queries.findWithdrawal(tx, orderId, note)
    if (earlier) return { row: earlier, isNew: false, isUnpaid: false }
    const chosen = await chooseItems(tx, order, request)
    const id = newId()
    // Items in words, and products with special return terms, are for an admin.
    const isInWords = Boolean(request.note && !request.lines)
    const needsReview =
      isInWords || (await orders.hasReturnNote(tx, orderId, request.lines && [...chosen.all.keys()]))
    const isUnpaid = order.status === 'unpaid'
    const isOpen = isUnpaid || (needsReview && chosen.all.size > 0)
    const status = isOpen ? 'requested' : chosen.shipped.size > 0 ? 'approved' : 'closed'
    const items = isInWords ? [] : needsReview ? chosen.all : chosen.shipped
    const row = await repository.insertReturn(
      tx,
      {
        id,
        ...toOwner(order),
        name: request.name,
        note,
        is_withdrawal: true,
        status,
      },
      [...items].map(([line_number, pieces]) => ({ line_number, pieces })),
    )
    await orders.addEvent(tx, orderId, 'withdrawn', orders.toAuthor(by))
    if (order.status === 'paid' && !needsReview && chosen.open.size > 0) {
      const shares = await payments.listRefundable(tx, locked)
      refund = await payments.recordCancellation(deps, tx, locked, {
        shares,
        pieces: chosen.open,
        by,
        returnId: id,
      })
    }
    await acknowledge(deps, tx, row)
    return { row, isNew: true, isUnpaid }
  })
  if (refund) await payments.announceRefund(deps, refund)
  if (isNew && isUnpaid) await cancelUnpaid(deps, row, by)
  return row
}

/** Withdrawn pieces by line: those that are not shipped, and those that the buyer has to send back. */
interface ChosenItems {
  open: Map<number, number>
  shipped: Map<number, number>
  all: Map<number, number>
}

/** Returns the pieces that are still there; without `lines` all of the order. The deadline for returns does not apply. */
async function chooseItems(
  tx: Kysely<Database>,
  order: orders.Order,
  { lines }: NewWithdrawal,
): Promise<ChosenItems> {
  const returnable = await findReturnable(tx, order, { returnDays: Number.POSITIVE_INFINITY })
  const chosen: ChosenItems = { open: new Map(), shipped: new Map(), all: new Map() }
  const add = (to: Map<number, number>, line: number, pieces: number) => pieces > 0 && to.set(line, pieces)
  for (const line of order.lines) {
    const number = line.line_number
    const wanted = lines ? (lines.find((each) => each.line === number)?.pieces ?? 0) : line.quantity
    const { openPieces } = orders.toLinePieces(order.status, line)
    const open = Math.min(wanted, openPieces)
    const shipped = Math.min(wanted - open, returnable.get(number) ?? 0)
    add(chosen.open, number, open)
    add(chosen.shipped, number, shipped)
    add(chosen.all, number, open + shipped)
  }
  return chosen
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

/** The order stays open if a payment for it is in progress; then an admin sees the withdrawal. */
async function cancelUnpaid(deps: WithdrawalDeps, row: queries.ReturnRow, by: Actor | Guest): Promise<void> {
  const order = row.order_id && (await orders.findOrder(deps.db, row.order_id))
  if (!order) return
  try {
    await payments.cancelOrder(deps, order, by)
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    deps.log.warn({ orderId: order.id, code: error.code }, 'a withdrawn order could not be cancelled')
    return
  }
  await repository.closeRequested(deps.db, row.id)
}

/** Queues the email that confirms the receipt, last in the transaction. */
async function acknowledge(
  { returnEmails, rateLimiter, log }: WithdrawalDeps,
  tx: Kysely<Database>,
  row: queries.ReturnRow,
): Promise<void> {
  if (!returnEmails) return
  // Anyone can type the email of a third party.
  if (row.order_id === null && !(await rateLimiter.allows(tx, 'withdrawalEmailsPerEmail', row.email))) {
    log.warn({ returnId: row.id }, 'dropped an email about a withdrawal: too many in a day')
    return
  }
  await returnEmails.enqueue(tx, 'withdrawal-received', row)
}
