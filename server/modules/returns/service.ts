import type { Kysely } from 'kysely'
import { orderNumber } from '../../../contract/order-number.ts'
import type { NewRefund } from '../../../contract/payments.ts'
import type { NewReturn, ReturnDecision } from '../../../contract/returns.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller, Guest } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import * as orders from '../orders/service.ts'
import * as payments from '../payments/service.ts'
import type { ReturnEmails } from './emails.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

export { openReturnEmails, returnLimits } from './emails.ts'
export { presentReturn } from './present.ts'
export {
  countOpenReturns,
  findOrderIdsOfReturns,
  hasOpenReturn,
  listReturns,
  listReturnsOfOrder,
  listWithdrawn,
} from './queries.ts'
export { closeCancelled } from './repository.ts'

export interface ReturnServices extends payments.PaymentServices {
  /** Null if the shop does not send email. */
  returnEmails: ReturnEmails | null
  returnTerms: ReturnTerms
}

interface ReturnTerms {
  /** The time after shipping in which a return can be requested; 0: never. */
  returnDays: number
  /** Whether the shop has the page for withdrawals. */
  withdrawal: boolean
}

export interface ReturnDeps extends ReturnServices {
  db: Kysely<Database>
}

/**
 * Requests the return of shipped items.
 *
 * @param key the idempotency key of the form, which requests once; null: each call is a request
 * @throws RETURN_NOT_POSSIBLE (with the `lines`): not shipped, too late, or in a return already; IDEMPOTENCY_KEY_REUSED
 */
export async function requestReturn(
  { db, returnTerms }: ReturnDeps,
  { id: orderId }: orders.Order,
  { lines, note = '' }: NewReturn,
  { key, by }: { key: string | null; by: Actor | Guest },
): Promise<queries.ListedReturn> {
  const id = await inTransaction(db, async (tx) => {
    await orders.lockOrder(tx, orderId)
    const order = await orders.findOrder(tx, orderId)
    if (!order) throw new ShopError('ORDER_NOT_FOUND')
    const earlier = key === null ? undefined : await queries.findReturnByKey(tx, key)
    if (earlier) {
      const { lines: requested } = await requireReturn(tx, earlier.id)
      const isSame =
        earlier.order_id === orderId && earlier.note === note && toText(requested) === toText(toRows(lines))
      if (!isSame) throw new ShopError('IDEMPOTENCY_KEY_REUSED')
      return earlier.id
    }
    const returnable = await findReturnable(tx, order, returnTerms)
    const refused = lines.filter(({ line, pieces }) => pieces > (returnable.get(line) ?? 0))
    if (refused.length > 0)
      throw new ShopError('RETURN_NOT_POSSIBLE', { details: { lines: refused.map(({ line }) => line) } })
    const row = { id: newId(), ...toOwner(order), is_withdrawal: false, note, idempotency_key: key }
    // The return of another order has the key.
    if (!(await repository.insertReturn(tx, row, toRows(lines))))
      throw new ShopError('IDEMPOTENCY_KEY_REUSED')
    await orders.addEvent(tx, orderId, 'return_requested', orders.toAuthor(by))
    return row.id
  })
  return requireReturn(db, id)
}

const toRows = (lines: NewReturn['lines']) =>
  lines.map(({ line, pieces, reason }) => ({ line_number: line, pieces, reason }))

/** Returns the items of a return as a text, to compare them. */
const toText = (rows: Pick<queries.ListedReturn['lines'][number], 'line_number' | 'pieces' | 'reason'>[]) =>
  rows
    .map(({ line_number, pieces, reason }) => `${line_number}: ${pieces} ${reason}`)
    .toSorted()
    .join()

/** Returns the pieces that can be requested, by line. */
async function findReturnable(
  db: Kysely<Database>,
  order: orders.Order,
  { returnDays }: Pick<ReturnTerms, 'returnDays'>,
): Promise<Map<number, number>> {
  const taken = await queries.findTakenPieces(db, order.id)
  const since = Date.now() - returnDays * 24 * 3_600_000
  const shipments = await orders.listShipments(db, order.id)
  return new Map(
    order.lines.map((line) => {
      const { shippedPieces } = orders.toLinePieces(order.status, line)
      const shipment = shipments.find(({ id }) => id === line.shipment_id)
      // Earlier versions shipped orders as a whole, without a shipment.
      const shippedAt = shipment?.shipped_at ?? order.shipped_at
      const isLate = (shippedAt?.getTime() ?? 0) < since
      const left = shippedPieces - (taken.get(line.line_number) ?? 0)
      return [line.line_number, isLate ? 0 : Math.max(0, left)]
    }),
  )
}

/** Lists the lines of an order of which a return can be requested. */
export async function listReturnable(
  db: Kysely<Database>,
  order: orders.Order,
  terms: ReturnTerms,
): Promise<{ line: number; pieces: number }[]> {
  // Most orders are read before anything is shipped.
  if (order.lines.every((line) => orders.toLinePieces(order.status, line).shippedPieces === 0)) return []
  const returnable = await findReturnable(db, order, terms)
  return [...returnable].flatMap(([line, pieces]) => (pieces > 0 ? [{ line, pieces }] : []))
}

/** The columns of a return that repeat its order. */
export const toOwner = (order: { id: string; customer_email: string; customer_name: string }) => ({
  order_id: order.id,
  order_number: orderNumber(order.id),
  email: order.customer_email.toLowerCase(),
  name: order.customer_name,
})

const events = { approved: 'return_approved', rejected: 'return_rejected', closed: 'return_closed' } as const

/**
 * Decides on a return, or assigns a withdrawal to an order of its buyer's email. Later emails name the items of the order.
 *
 * @throws NOT_FOUND, ORDER_NOT_FOUND, RETURN_CLOSED, RETURN_NEEDS_ORDER
 */
export async function decideReturn(
  { db, returnEmails }: ReturnDeps,
  id: string,
  { status, reply = '', orderId }: ReturnDecision,
  by: Caller,
): Promise<queries.ListedReturn> {
  const { order_id: assigned } = await requireReturn(db, id)
  await inTransaction(db, async (tx) => {
    // Orders are locked before returns.
    const order = await lockOrder(tx, assigned ?? orderId)
    const row = await repository.lockReturn(tx, id)
    if (!row) throw new ShopError('NOT_FOUND')
    // The same decision is repeated. With another reply it is refused, because the customer has read the first one.
    if (row.status === status && (status === 'closed' || row.reply === reply)) return
    const isOpen =
      row.status === 'requested' || (row.status === 'approved' && (!status || status === 'closed'))
    if (!isOpen) throw new ShopError('RETURN_CLOSED')
    // Someone else has assigned another order in the meantime.
    if (row.order_id !== null && row.order_id !== order?.id) throw new ShopError('RETURN_CLOSED')
    if (order && row.order_id === null) {
      if (!(await queries.isOrderOfEmail(tx, order.id, row.email))) throw new ShopError('ORDER_NOT_FOUND')
      await repository.updateReturn(tx, id, { order_id: order.id })
      await orders.addEvent(tx, order.id, 'withdrawn', orders.toAuthor(by))
    }
    if (!status) return
    if (status === 'approved' && !order) throw new ShopError('RETURN_NEEDS_ORDER')
    await repository.updateReturn(tx, id, { status, ...(status !== 'closed' && { reply }) })
    if (order) await orders.addEvent(tx, order.id, events[status], orders.toAuthor(by))
    if (status !== 'closed') await returnEmails?.enqueue(tx, `return-${status}`, row, order?.id)
  })
  returnEmails?.wake()
  return requireReturn(db, id)
}

async function lockOrder(tx: Kysely<Database>, id: string | null | undefined) {
  if (!id) return null
  const order = await orders.lockOrder(tx, id)
  if (!order) throw new ShopError('ORDER_NOT_FOUND')
  return order
}

async function requireReturn(db: Kysely<Database>, id: string): Promise<queries.ListedReturn> {
  const row = await queries.findReturn(db, id)
  if (!row) throw new ShopError('NOT_FOUND')
  return row
}

/**
 * Refunds a paid order, and closes the return of the items when all of them are refunded.
 *
 * @throws RETURN_CLOSED if the return is not approved or of another order, and as `payments.refundOrder`
 */
export function refundOrder(
  deps: ReturnDeps,
  orderId: string,
  request: NewRefund,
  options: { key: string; refundedBy: Actor },
): ReturnType<typeof payments.refundOrder> {
  const { returnId } = request
  if (returnId === undefined) return payments.refundOrder(deps, orderId, request, options)
  return payments.refundOrder(deps, orderId, request, {
    ...options,
    async also(tx) {
      const row = await repository.lockReturn(tx, returnId)
      if (row?.order_id !== orderId || row.status !== 'approved') throw new ShopError('RETURN_CLOSED')
      if (!(await queries.isRefunded(tx, returnId))) return
      await repository.updateReturn(tx, returnId, { status: 'closed' })
      await orders.addEvent(tx, orderId, 'return_closed', orders.toAuthor(options.refundedBy))
    },
  })
}
