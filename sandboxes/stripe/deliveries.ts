import { sql } from 'kysely'
import { fromNow } from './clock.ts'
import { type EventRow, eventColumns, type SandboxDb } from './tables.ts'

/** An event to deliver. `attempts` includes the current one. An event that is too old gets no further attempt. */
export type DueEvent = EventRow & { attempts: number; isTooOld: boolean }

const BATCH = 10
const GIVE_UP_AFTER = '3 days'

const isTooOld = sql<boolean>`events.created_at < now() - ${GIVE_UP_AFTER}::interval`

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
    .returning(['webhook_deliveries.attempts', isTooOld.as('isTooOld')])
    .execute()
}

export async function recordDelivery(db: SandboxDb, eventId: string, result: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ delivered_at: fromNow(0), next_attempt_at: null, last_result: result })
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
