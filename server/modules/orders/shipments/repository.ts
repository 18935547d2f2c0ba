import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { PRINTING_SLIPS } from '../../../platform/database/advisory-locks.ts'
import { addEvent, toAuthor } from '../repository.ts'

/** Makes a print wait for another one with the same key. */
export async function lockSlipRun(db: Kysely<Database>, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PRINTING_SLIPS}::integer, hashtext(${key}))`.execute(db)
}

/**
 * Records that the packing slips of the next paid orders are printed. Orders that another transaction has locked are left
 * out, unless there are no others: then it waits for the first of them.
 *
 * @param withdrawn ids of orders that are left out too
 * @param key finds these orders again
 * @returns the ids, the first paid first
 */
export async function takeUnprinted(
  db: Kysely<Database>,
  max: number,
  withdrawn: string[],
  key: string | null,
): Promise<string[]> {
  const unprinted = sql`
    select id, paid_at from orders where status = 'paid' and slip_printed_at is null and id <> all(${withdrawn}::text[])
    order by paid_at, id`
  const take = async () => {
    const { rows } = await sql<{ id: string }>`
      with taken as materialized (${unprinted} limit ${max} for update skip locked),
      printed as (update orders set slip_printed_at = now(), slip_run = ${key} from taken where orders.id = taken.id)
      select id from taken order by paid_at, id`.execute(db)
    return rows.map(({ id }) => id)
  }
  const taken = await take()
  if (taken.length > 0) return taken
  // Only one, because waiting for others in this order, not by id, could be a deadlock.
  const { rows } = await sql`${unprinted} limit 1 for update`.execute(db)
  return rows.length > 0 ? take() : []
}

/** Records that the packing slips of these orders are printed. Locks them by id. */
export async function markPrinted(db: Kysely<Database>, ids: string[]): Promise<void> {
  await sql`
    with locked as materialized (
      select id from orders where id = any(${ids}::text[]) order by id for update
    )
    update orders set slip_printed_at = now() from locked where orders.id = locked.id`.execute(db)
}

/** A shipment of lines of a locked order. */
interface NewShipment {
  id: string
  lineNumbers: number[]
  carrier: string | null
  trackingNumbers: string[]
  /** Whether pieces of the order are still open. If not, it becomes shipped. */
  isPartial: boolean
  by: Actor | null
  /** By default now, by the clock of the database. */
  at?: Date
}

export async function addShipment(
  db: Kysely<Database>,
  orderId: string,
  shipment: NewShipment,
): Promise<void> {
  const { id, lineNumbers, isPartial, by, at } = shipment
  const { shipped_at } = await db
    .insertInto('shipments')
    .values({
      id,
      order_id: orderId,
      carrier: shipment.carrier,
      tracking_numbers: shipment.trackingNumbers,
      is_partial: isPartial,
      ...(at && { shipped_at: at }),
    })
    .returning('shipped_at')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('order_lines')
    .set({ shipment_id: id })
    .where('order_id', '=', orderId)
    .where('line_number', 'in', lineNumbers)
    .execute()
  if (!isPartial) {
    await db.updateTable('orders').set({ status: 'shipped', shipped_at }).where('id', '=', orderId).execute()
  }
  await addEvent(db, orderId, isPartial ? 'part_shipped' : 'shipped', {
    ...(by && toAuthor(by)),
    ...(at && { occurred_at: at }),
  })
}

/**
 * Deletes a shipment of a locked order: its lines are open again, and the order is paid.
 *
 * @returns the id of the event
 */
export async function removeShipment(
  db: Kysely<Database>,
  orderId: string,
  { id, reason, by }: { id: string; reason: string | null; by: Actor },
): Promise<number> {
  await db
    .updateTable('order_lines')
    .set({ shipment_id: null })
    .where('order_id', '=', orderId)
    .where('shipment_id', '=', id)
    .execute()
  await db.deleteFrom('shipments').where('id', '=', id).execute()
  // Items are open again, so no other shipment was the last one.
  await db.updateTable('shipments').set({ is_partial: true }).where('order_id', '=', orderId).execute()
  await db.updateTable('orders').set({ status: 'paid', shipped_at: null }).where('id', '=', orderId).execute()
  const { id: eventId } = await db
    .insertInto('order_events')
    .values({ order_id: orderId, kind: 'unshipped', reason, ...toAuthor(by) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return eventId
}

/** Returns false if the shipment already has this carrier and these numbers. */
export async function setTracking(
  db: Kysely<Database>,
  id: string,
  { carrier, trackingNumbers }: Pick<NewShipment, 'carrier' | 'trackingNumbers'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shipments')
    .set({ carrier, tracking_numbers: trackingNumbers })
    .where('id', '=', id)
    .where(
      sql<boolean>`(carrier, tracking_numbers) is distinct from (${carrier}::text, ${trackingNumbers}::text[])`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if the email about added numbers was queued before. */
export async function markTrackingEmailed(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shipments')
    .set({ tracking_emailed_at: sql`now()` })
    .where('id', '=', id)
    .where('tracking_emailed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
