import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, MailOutboxTable } from '../../../db/schema.ts'
import { newId } from '../../platform/ids.ts'

export type EmailKind = MailOutboxTable['kind']

/** A letter that this process alone has taken to send; `attempts` counts this time in. */
export type QueuedEmail = Pick<
  Selectable<MailOutboxTable>,
  'id' | 'kind' | 'email' | 'subject' | 'expires_at' | 'attempts'
>

/** Whether and how someone else has taken a letter in the meantime shows in its attempts. */
type Taken = Pick<QueuedEmail, 'id' | 'attempts'>

/** By the database's clock, which all processes share. */
const fromNow = (ms: number) => sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`

/** Puts a letter into the outbox; where one of its kind waits for this person already, that one is worth more time. */
export async function enqueueEmail(
  db: Kysely<Database>,
  queued: { kind: EmailKind; email: string; subject: string; ttlMs: number },
): Promise<void> {
  const { kind, email, subject, ttlMs } = queued
  await db
    .insertInto('mail_outbox')
    .values({ id: newId(), kind, email, subject, expires_at: fromNow(ttlMs) })
    .onConflict((conflict) =>
      conflict.constraint('mail_outbox_once').doUpdateSet({ expires_at: fromNow(ttlMs) }),
    )
    .execute()
}

/** Takes letters that are due for this process alone, for so long: those that wait longest first. */
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

/** Milliseconds until the next letter is due; null if none waits. */
export async function nextDueIn(db: Kysely<Database>): Promise<number | null> {
  const { wait } = await db
    .selectFrom('mail_outbox')
    .select(sql<number | null>`extract(epoch from min(next_attempt_at) - now())::float8 * 1000`.as('wait'))
    .executeTakeFirstOrThrow()
  return wait === null ? null : Math.max(0, wait)
}

/**
 * Keeps a letter where it is until the transaction ends, for who is about to write it.
 *
 * @returns false if it was withdrawn, or someone else has taken it
 */
export async function lockEmail(tx: Kysely<Database>, { id, attempts }: Taken): Promise<boolean> {
  const held = tx.selectFrom('mail_outbox').select('id').where('id', '=', id).where('attempts', '=', attempts)
  return (await held.forShare().executeTakeFirst()) !== undefined
}

/** What a letter says is over: it is not sent, nor sent once more. */
export async function cancelEmail(
  db: Kysely<Database>,
  { kind, email }: Pick<QueuedEmail, 'kind' | 'email'>,
): Promise<void> {
  await db.deleteFrom('mail_outbox').where('kind', '=', kind).where('email', '=', email).execute()
}

/** The letter is sent, or will never be. */
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
