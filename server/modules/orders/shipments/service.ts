import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { refuseTransition } from '../../../../contract/order-status.ts'
import type { EditedTracking, NewShipment } from '../../../../contract/shipments.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction, newId } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import type { OrderEmails } from '../emails.ts'
import { countOrder } from '../order-metrics.ts'
import { findOrder } from '../queries.ts'
import { addEvent, lockOrder, toAuthor } from '../repository.ts'
import type { OrderTerms } from '../rules.ts'
import { toLinePieces } from '../states.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

interface ShipmentDeps {
  db: Kysely<Database>
  orderEmails: OrderEmails | null
}

interface SetBackDeps extends ShipmentDeps {
  terms: Pick<OrderTerms, 'shippingUndoSeconds'>
  /** Whether one of these lines, by number, is in a return since then that is not decided or not complete. */
  hasOpenReturn: (db: Kysely<Database>, orderId: string, lines: number[], since: Date) => Promise<boolean>
}

/**
 * Ships lines of a paid order, each with all its pieces that are not cancelled. The order becomes shipped when none of its
 * pieces is open any more. An order for pickup has no carrier and no tracking numbers.
 *
 * @param lines by number; undefined: all that are open
 * @returns null, without any change, if one of the lines has no open pieces, or none has
 * @throws ORDER_NOT_FOUND, ORDER_NOT_PAID, ORDER_REFUNDED
 */
export async function shipOrder(
  { db, orderEmails }: ShipmentDeps,
  shippedBy: Actor,
  id: string,
  { lines, carrier, trackingNumbers = [] }: Partial<NewShipment> = {},
): Promise<queries.Shipment | null> {
  const shipment = await inTransaction(db, async (tx) => {
    await lockOrder(tx, id)
    const order = await findOrder(tx, id)
    if (!order) throw new ShopError('ORDER_NOT_FOUND')
    if (order.status === 'shipped') return null
    const code = refuseTransition('ship', order.status)
    if (code) throw new ShopError(code)
    const open = order.lines
      .filter((line) => toLinePieces(order.status, line).openPieces > 0)
      .map(({ line_number }) => line_number)
    const lineNumbers = lines ?? open
    if (lineNumbers.length === 0 || lineNumbers.some((line) => !open.includes(line))) return null
    const shipmentId = newId()
    await repository.addShipment(tx, id, {
      id: shipmentId,
      lineNumbers,
      carrier: order.is_pickup ? null : carrier || null,
      trackingNumbers: order.is_pickup ? [] : trackingNumbers,
      isPartial: open.some((line) => !lineNumbers.includes(line)),
      by: shippedBy,
    })
    await orderEmails?.enqueueShipment(tx, 'shipment-sent', shipmentId, order.id)
    return requireShipment(tx, shipmentId)
  })
  if (shipment) {
    if (!shipment.is_partial) countOrder('shipped')
    orderEmails?.wake()
  }
  return shipment
}

/**
 * Changes the carrier and the tracking numbers of a shipment. An email that is not sent yet gets the new ones. The first
 * numbers of a shipment without any are emailed to the buyer, once. The shipment of an order for pickup stays without.
 *
 * @throws NOT_FOUND, RECORD_CHANGED
 */
export async function editShipment(
  { db, orderEmails }: ShipmentDeps,
  editedBy: Actor,
  id: string,
  { carrier, trackingNumbers, before: edited }: EditedTracking,
): Promise<queries.Shipment> {
  const shipment = await inTransaction(db, async (tx) => {
    const { order_id: orderId } = await requireShipment(tx, id)
    const order = await lockOrder(tx, orderId)
    const before = await requireShipment(tx, id)
    if (order?.is_pickup) return before
    if (await repository.setTracking(tx, id, { carrier: carrier || null, trackingNumbers })) {
      // A repeated request passes, because it changes nothing.
      const isChanged =
        edited !== undefined &&
        !isDeepStrictEqual(
          [edited.carrier || null, edited.trackingNumbers],
          [before.carrier, before.tracking_numbers],
        )
      if (isChanged) throw new ShopError('RECORD_CHANGED')
      await addEvent(tx, orderId, 'tracking_changed', toAuthor(editedBy))
    }
    // The email about the shipment has the new numbers if it still waits.
    const isAnnounced = !(await orderEmails?.holdShipment(tx, id))
    const isAdded = before.tracking_numbers.length === 0 && trackingNumbers.length > 0
    if (order && isAdded && isAnnounced && (await repository.markTrackingEmailed(tx, id))) {
      await orderEmails?.enqueueShipment(tx, 'tracking-added', id, order.id)
    }
    return requireShipment(tx, id)
  })
  orderEmails?.wake()
  return shipment
}

/**
 * Sets a shipment back: its lines are open again. Withdraws its email, if no process has begun to send it. Later it needs a
 * reason, which the buyer gets by email.
 *
 * @returns whether the email was withdrawn, so that the buyer learns nothing
 * @throws NOT_FOUND, this includes a repeated call; REASON_REQUIRED, SHIPMENT_HAS_RETURN, SHIPMENT_RETURNED
 */
export async function setBackShipment(
  { db, orderEmails, terms, hasOpenReturn }: SetBackDeps,
  by: Actor,
  id: string,
  reason: string,
): Promise<{ emailWithdrawn: boolean }> {
  const { order_id: orderId } = await requireShipment(db, id)
  const result = await inTransaction(db, async (tx) => {
    await lockOrder(tx, orderId)
    // Another admin may have set it back before the lock.
    const shipment = await requireShipment(tx, id)
    const order = await findOrder(tx, orderId)
    if (!order) throw new ShopError('NOT_FOUND')
    const lines = shipment.lines.map(({ line_number }) => line_number)
    // A withdrawal before the shipment is of open items, and they are open again.
    if (await hasOpenReturn(tx, orderId, lines, shipment.shipped_at))
      throw new ShopError('SHIPMENT_HAS_RETURN')
    const hasReturned = order.lines.some(
      ({ shipment_id, returned_pieces }) => shipment_id === id && returned_pieces > 0,
    )
    if (hasReturned) throw new ShopError('SHIPMENT_RETURNED')
    const emailWithdrawn = (await orderEmails?.withdrawShipment(tx, id)) ?? false
    const isEmailed = orderEmails !== null && order.customer_email !== ''
    const isSilent = isEmailed
      ? emailWithdrawn
      : await queries.isShippedWithin(tx, id, terms.shippingUndoSeconds)
    if (!isSilent && reason === '') throw new ShopError('REASON_REQUIRED')
    const eventId = await repository.removeShipment(tx, orderId, { id, reason: reason || null, by })
    if (!isSilent) await orderEmails?.enqueueSetBack(tx, eventId, order.id)
    return { emailWithdrawn }
  })
  orderEmails?.wake()
  return result
}

async function requireShipment(db: Kysely<Database>, id: string): Promise<queries.Shipment> {
  const shipment = await queries.findShipment(db, id)
  if (!shipment) throw new ShopError('NOT_FOUND')
  return shipment
}
