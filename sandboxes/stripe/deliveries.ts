import { sql } from 'kysely'
import type { EventRow, SandboxDb } from './tables.ts'

/** An event to bring to the webhook endpoint, and how often that has been tried, this time included. */
export type DueEvent = EventRow & { attempts: number }

const BATCH = 10

/** Takes events that are due for this process alone, for the length of the lease: the oldest first, a few at a time. */
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
    .returningAll('events')
    .returning('webhook_deliveries.attempts')
    .execute()
}

export async function noteDelivered(db: SandboxDb, eventId: string, result: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ delivered_at: new Date(), next_attempt_at: null, last_result: result })
    .where('event_id', '=', eventId)
    .execute()
}

/** @param waitMs until the next attempt; null if there is to be none */
export async function noteFailed(
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

/** @returns in how many milliseconds the next attempt is due; null if none is outstanding */
export async function nextDueIn(db: SandboxDb): Promise<number | null> {
  const { wait } = await db
    .selectFrom('webhook_deliveries')
    .select(sql<number | null>`extract(epoch from min(next_attempt_at) - now())::float8 * 1000`.as('wait'))
    .executeTakeFirstOrThrow()
  return wait === null ? null : Math.max(wait, 0)
}

/** By the database's clock, which every process shares. */
function fromNow(ms: number) {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`
}
