import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, MailOutboxTable } from '../../../db/schema.ts'
import { newId } from '../../platform/database.ts'

export type EmailKind = MailOutboxTable['kind']

/** An email claimed by this process. `attempts` includes the current one. */
export type QueuedEmail = Pick<
  Selectable<MailOutboxTable>,
  'id' | 'kind' | 'email' | 'subject' | 'expires_at' | 'attempts'
>

/** Identifies a claim: `attempts` changes when another process claims the email. */
type Taken = Pick<QueuedEmail, 'id' | 'attempts'>

/** Uses the database clock, which all processes share. */
const fromNow = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`

/** Adds an email. If the same kind, recipient and subject are already queued, extends the expiry instead. */
export async function enqueueEmail(
  db: Kysely<Database>,
  queued: { kind: EmailKind; email: string; subject: string; ttlMs: number },
): Promise<void> {
  const { kind, email, subject, ttlMs } = queued
  await db
    .insertInto('mail_outbox')
    .values({ id: newId(), kind, email, subject, expires_at: fromNow(ttlMs) })
    .onConflict((conflict) =>
      conflict.constraint('mail_outbox_key').doUpdateSet({ expires_at: fromNow(ttlMs) }),
    )
    .execute()
}

/** Claims up to `batchSize` due emails for `leaseMs`, the longest due first. */
export function takeDue(
  db: Kysely<Database>,
  { batchSize, leaseMs }: { batchSize: number; leaseMs: number },
): Promise<QueuedEmail[]> {
  const due = db
    .selectFrom('mail_outbox')
    .select('id')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .orderBy('next_attempt_at')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('mail_outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_attempt_at: fromNow(leaseMs) }))
    .where('id', 'in', due)
    .returning(['id', 'kind', 'email', 'subject', 'expires_at', 'attempts'])
    .execute()
}

/** Returns the milliseconds until the next email is due, or null if the outbox is empty. */
export async function nextDueIn(db: Kysely<Database>): Promise<number | null> {
  const { wait } = await db
    .selectFrom('mail_outbox')
    .select(sql<number | null>`extract(epoch from min(next_attempt_at) - now())::float8 * 1000`.as('wait'))
    .executeTakeFirstOrThrow()
  return wait === null ? null : Math.max(0, wait)
}

/**
 * Locks an email until the transaction ends, while its content is rendered.
 *
 * @returns false if it was cancelled, or claimed by another process
 */
export async function lockEmail(tx: Kysely<Database>, { id, attempts }: Taken): Promise<boolean> {
  const held = tx.selectFrom('mail_outbox').select('id').where('id', '=', id).where('attempts', '=', attempts)
  return (await held.forShare().executeTakeFirst()) !== undefined
}

/** Deletes emails whose content is outdated, so they are not sent or retried. */
export async function cancelEmail(
  db: Kysely<Database>,
  { kind, email }: Pick<QueuedEmail, 'kind' | 'email'>,
): Promise<void> {
  await db.deleteFrom('mail_outbox').where('kind', '=', kind).where('email', '=', email).execute()
}

/** Deletes an email that was sent or will never be. Does nothing if another process has claimed it. */
export async function deleteEmail(db: Kysely<Database>, { id, attempts }: Taken): Promise<void> {
  await db.deleteFrom('mail_outbox').where('id', '=', id).where('attempts', '=', attempts).execute()
}

export async function rescheduleEmail(
  db: Kysely<Database>,
  { id, attempts }: Taken,
  waitMs: number,
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: fromNow(waitMs) })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}
