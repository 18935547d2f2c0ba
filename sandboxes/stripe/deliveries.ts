import { sql } from 'kysely'
import { type EventRow, eventColumns, type SandboxDb } from './tables.ts'

/** An event to deliver. `attempts` includes the current one. */
export type DueEvent = EventRow & { attempts: number }

const BATCH = 10

/** Leases the oldest due events to this process, at most `BATCH`. */
export async function claimDue(db: SandboxDb, leaseMs: number): Promise<DueEvent[]> {
  const due = db
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .orderBy('next_attempt_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('webhook_deliveries')
    .from('events')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: fromNow(leaseMs) }))
    .whereRef('events.id', '=', 'webhook_deliveries.event_id')
    .where('event_id', 'in', due)
    .returning(eventColumns)
    .returning('webhook_deliveries.attempts')
    .execute()
}

export async function recordDelivery(db: SandboxDb, eventId: string, result: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ delivered_at: new Date(), next_attempt_at: null, last_result: result })
    .where('event_id', '=', eventId)
    .execute()
}

/** @param waitMs until the next attempt; null for no further attempt */
export async function recordFailure(
  db: SandboxDb,
  eventId: string,
  result: string,
  waitMs: number | null,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: waitMs === null ? null : fromNow(waitMs), last_result: result })
    .where('event_id', '=', eventId)
    .execute()
}

/** Returns the milliseconds until the next attempt is due, or null if none is pending. */
export async function msUntilNextDelivery(db: SandboxDb): Promise<number | null> {
  const { wait } = await db
    .selectFrom('webhook_deliveries')
    .select(sql<number | null>`extract(epoch from min(next_attempt_at) - now())::float8 * 1000`.as('wait'))
    .executeTakeFirstOrThrow()
  return wait === null ? null : Math.max(wait, 0)
}

/** Uses the clock of the database, which all processes share. */
function fromNow(ms: number) {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`
}
