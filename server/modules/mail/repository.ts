import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, MailOutboxTable } from '../../../db/schema.ts'
import { newId } from '../../platform/database/database.ts'

export type EmailKind = MailOutboxTable['kind']

/** An email claimed by this process. `attempts` includes the current one. */
export type QueuedEmail = Pick<
  Selectable<MailOutboxTable>,
  'id' | 'kind' | 'email' | 'subject' | 'attempts'
> & { is_expired: boolean }

/** Uses the database clock, which all processes share. */
const fromNow = (ms: number) => sql<Date>`now() + ${toInterval(ms)}`
const toInterval = (ms: number) => sql`${ms}::float8 * interval '1 millisecond'`

/**
 * Adds an email. If the same kind, recipient and subject are already queued, extends the expiry instead.
 *
 * @param delayMs the time before the first attempt
 */
export async function enqueueEmail(
  db: Kysely<Database>,
  queued: Pick<QueuedEmail, 'kind' | 'email' | 'subject'>,
  { ttlMs, delayMs }: { ttlMs: number; delayMs: number },
): Promise<void> {
  const expires_at = fromNow(ttlMs)
  // `now()` is before the transaction waited for its locks.
  const next_attempt_at = sql<Date>`clock_timestamp() + ${toInterval(delayMs)}`
  await db
    .insertInto('mail_outbox')
    .values({ id: newId(), ...queued, expires_at, ...(delayMs > 0 && { next_attempt_at }) })
    .onConflict((conflict) => conflict.constraint('mail_outbox_key').doUpdateSet({ expires_at }))
    .execute()
}

/** Claims up to `batchSize` due emails for `leaseMs`, the longest due first. */
export async function takeDue(
  db: Kysely<Database>,
  { batchSize, leaseMs }: { batchSize: number; leaseMs: number },
): Promise<QueuedEmail[]> {
  const { rows } = await sql<QueuedEmail>`
    update mail_outbox set attempts = attempts + 1, next_attempt_at = ${fromNow(leaseMs)}
    where id in (
      select id from mail_outbox where next_attempt_at <= now() and failed_at is null
      order by next_attempt_at limit ${batchSize} for update skip locked
    )
    returning id, kind, email, subject, attempts, expires_at < now() as is_expired`.execute(db)
  return rows
}

/** Returns the milliseconds until the next email is due, or undefined if the outbox is empty. */
export async function nextDueIn(db: Kysely<Database>): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number }>`
    select greatest(0, extract(epoch from next_attempt_at - now()) * 1000)::float8 as wait
    from mail_outbox where failed_at is null order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.wait
}

/** Returns how many emails are due, and since when the first one is. */
export async function countDueEmails(db: Kysely<Database>): Promise<{ count: number; seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*)::int as count, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as seconds
    from mail_outbox where next_attempt_at <= now() and failed_at is null`.execute(db)
  return rows[0] ?? { count: 0, seconds: 0 }
}

/** Matches an email unless another process has claimed it in the meantime: that changes `attempts`. */
const claimed = ({ id, attempts }: QueuedEmail) => sql<boolean>`id = ${id} and attempts = ${attempts}`

/**
 * Locks an email until the transaction ends, while its content is rendered.
 *
 * @returns false if it was cancelled, or claimed by another process
 */
export async function lockEmail(tx: Kysely<Database>, email: QueuedEmail): Promise<boolean> {
  const held = tx.selectFrom('mail_outbox').select('id').where(claimed(email)).forShare()
  return (await held.executeTakeFirst()) !== undefined
}

/** Deletes emails whose content is outdated, so they are not sent or retried. */
export async function cancelEmail(db: Kysely<Database>, kind: EmailKind, email: string): Promise<void> {
  await db.deleteFrom('mail_outbox').where('kind', '=', kind).where('email', '=', email).execute()
}

/**
 * Deletes the emails of one kind about a subject.
 *
 * @returns whether there was one that no process has tried to send
 */
export async function withdrawEmail(
  db: Kysely<Database>,
  kind: EmailKind,
  subject: string,
): Promise<boolean> {
  const { rows } = await sql<{ attempts: number }>`
    delete from mail_outbox where kind = ${kind} and subject = ${subject} returning attempts`.execute(db)
  return rows.some(({ attempts }) => attempts === 0)
}

/**
 * Locks the email of one kind about a subject until the transaction ends, unless a process has tried to send it.
 *
 * @returns whether there is one
 */
export async function holdEmail(db: Kysely<Database>, kind: EmailKind, subject: string): Promise<boolean> {
  const { rows } = await sql`
    select from mail_outbox where kind = ${kind} and subject = ${subject} and attempts = 0 for update`.execute(
    db,
  )
  return rows.length > 0
}

/** Deletes an email that was sent or will never be. */
export async function deleteEmail(db: Kysely<Database>, email: QueuedEmail): Promise<void> {
  await db.deleteFrom('mail_outbox').where(claimed(email)).execute()
}

/** @param failure the reason, as codes */
export async function rescheduleEmail(
  db: Kysely<Database>,
  email: QueuedEmail,
  waitMs: number,
  failure: string | null,
): Promise<void> {
  const next_attempt_at = fromNow(waitMs)
  await db.updateTable('mail_outbox').set({ next_attempt_at, failure }).where(claimed(email)).execute()
}

/** Stops the attempts to send an email, which stays in the outbox until an admin decides. */
export async function failEmail(
  db: Kysely<Database>,
  email: QueuedEmail,
  failure: string | null,
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set((eb) => ({
      failed_at: fromNow(0),
      failure: failure ?? eb.ref('failure'),
      // At the end of the index of due emails.
      next_attempt_at: sql<Date>`'infinity'`,
    }))
    .where(claimed(email))
    .execute()
}

/** Queues a failed email again. Returns false if it does not exist. */
export async function retryEmail(
  db: Kysely<Database>,
  id: string,
  ttlMs: Record<EmailKind, number>,
): Promise<boolean> {
  const failed = db.selectFrom('mail_outbox').select('kind').where('id', '=', id)
  const found = await failed.where('failed_at', 'is not', null).forUpdate().executeTakeFirst()
  if (!found) return false
  const again = { failed_at: null, failure: null, attempts: 0, next_attempt_at: fromNow(0) }
  const set = { ...again, expires_at: fromNow(ttlMs[found.kind]) }
  await db.updateTable('mail_outbox').set(set).where('id', '=', id).execute()
  return true
}

/** Returns the deleted email, or undefined if there is no failed email with this id. */
export function deleteFailedEmail(db: Kysely<Database>, id: string) {
  const failed = db.deleteFrom('mail_outbox').where('id', '=', id).where('failed_at', 'is not', null)
  return failed.returning(['kind', 'subject']).executeTakeFirst()
}
