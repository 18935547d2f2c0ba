import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Database, PaymentsTable, RefundsTable } from '../../../db/schema.ts'

export type Payment = Selectable<PaymentsTable>

/** The payment of an order that is open, under way or done: there is one at the most. */
export function findLivePayment(db: Kysely<Database>, orderId: string): Promise<Payment | undefined> {
  return db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('status', 'in', ['open', 'processing', 'succeeded'])
    .executeTakeFirst()
}

/** How many payments an order has seen, whatever became of them. */
export async function countAttempts(db: Kysely<Database>, orderId: string): Promise<number> {
  const { attempts } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('attempts'))
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  return attempts
}

/** Keeps a new payment, unless it is kept already or another one of the order is live. */
export async function insertPayment(
  db: Kysely<Database>,
  payment: Pick<Payment, 'intent_id' | 'order_id' | 'attempt' | 'amount_cents'>,
): Promise<void> {
  await db
    .insertInto('payments')
    .values({ ...payment, currency: 'usd', status: 'open' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Follows how a payment stands that has not succeeded; one that is decided stays so. Answers the change, if it is one. */
export async function setProgress(
  db: Kysely<Database>,
  intentId: string,
  status: 'open' | 'processing' | 'cancelled',
): Promise<{ order_id: string; from: Payment['status']; to: Payment['status'] } | undefined> {
  const { rows } = await sql<{ order_id: string; from: Payment['status']; to: Payment['status'] }>`
    with known as (
      select intent_id, status from payments
      where intent_id = ${intentId} and status in ('open', 'processing') for update
    )
    update payments set status = ${status}, updated_at = now() from known
    where payments.intent_id = known.intent_id and known.status <> ${status}
    returning payments.order_id, known.status as "from", payments.status as "to"`.execute(db)
  return rows[0]
}

/** Moves on a payment that has not come to its end; what was learnt before that end and is told after it is old. */
export async function setStatus(
  db: Kysely<Database>,
  intentId: string,
  status: 'open' | 'processing' | 'cancelled',
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ status, updated_at: new Date() })
    .where('intent_id', '=', intentId)
    .where('status', 'in', ['open', 'processing'])
    .where('status', '<>', status)
    .execute()
}

/**
 * Keeps what has become of the money of an intent, also of one that was never kept, as when it was made at the
 * provider's desk. Call it with the order's row locked.
 *
 * @returns false where a refund was noted before: that is the end of a payment
 */
export async function keepOutcome(
  db: Kysely<Database>,
  payment: Pick<Payment, 'intent_id' | 'order_id' | 'amount_cents'>,
  outcome: { status: 'succeeded' } | { status: 'refunded'; refund_id: string; refund_reason: string },
): Promise<boolean> {
  const attempt = (await countAttempts(db, payment.order_id)) + 1
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payments')
    .values({ ...payment, attempt, currency: 'usd', ...outcome })
    .onConflict((conflict) =>
      conflict
        .column('intent_id')
        .doUpdateSet({ ...outcome, updated_at: new Date() })
        .where('payments.status', '<>', 'refunded'),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Keeps a refund that is due; false where the intent has one already. */
export async function insertRefund(
  db: Kysely<Database>,
  refund: Pick<Insertable<RefundsTable>, 'intent_id' | 'order_id' | 'amount_cents' | 'reason'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('refunds')
    .values(refund)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Keeps what became of the try of this number, and when to try again: a minute later, and twice as long after each
 * failure, six hours at the most. What has gone through can only fail afterwards: anything else was heard too late.
 * Answers how it stood before; undefined where another try was quicker.
 */
export async function setRefund(
  db: Kysely<Database>,
  intentId: string,
  outcome: { attempt: number; status: string; refundId?: string; failure?: string },
): Promise<{ reason: string; amount_cents: number; from: string } | undefined> {
  const { attempt, status, refundId = null, failure = null } = outcome
  const { rows } = await sql<{ reason: string; amount_cents: number; from: string }>`
    with known as (
      select * from refunds where intent_id = ${intentId} and attempt = ${attempt}::integer for update
    )
    update refunds set
      status = case ${status}::text when 'unavailable' then known.status else ${status}::text end,
      attempt = known.attempt + case when ${failure}::text is null then 0 else 1 end,
      refund_id = coalesce(${refundId}::text, known.refund_id),
      failure = ${failure}::text,
      next_try_at = case ${status}::text when 'succeeded' then null
        else now() + least(interval '1 minute' * 2 ^ least(known.attempt - 1, 10), interval '6 hours') end,
      updated_at = now()
    from known
    where refunds.intent_id = known.intent_id and (known.status <> 'succeeded' or ${status}::text = 'failed')
    returning refunds.reason, refunds.amount_cents, known.status as "from"`.execute(db)
  return rows[0]
}

/** Takes refunds whose time has come, and puts them off for a minute, so that no other process asks for them, too. */
export async function claimRefunds(db: Kysely<Database>, dueBefore: Date, limit: number): Promise<string[]> {
  const due = db
    .selectFrom('refunds')
    .select('intent_id')
    .where('next_try_at', '<=', dueBefore)
    .orderBy('next_try_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  const rows = await db
    .updateTable('refunds')
    .set({ next_try_at: sql<Date>`now() + interval '1 minute'` })
    .where('intent_id', 'in', due)
    .returning('intent_id')
    .execute()
  return rows.map((row) => row.intent_id)
}

/** Intents that are not settled although they were opened a while ago, those first that nobody looked at for longest. */
export async function listUnsettledIntents(
  db: Kysely<Database>,
  openedBefore: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('intent_id')
    .where('status', 'in', ['open', 'processing'])
    .where('created_at', '<', openedBefore)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.intent_id)
}

export async function markLookedAt(db: Kysely<Database>, intentId: string): Promise<void> {
  // By the clock that all rows are dated by: another one, or one that counts in milliseconds, could put it first again.
  const updated_at = sql<Date>`now()`
  await db.updateTable('payments').set({ updated_at }).where('intent_id', '=', intentId).execute()
}

export async function hasEvent(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db.selectFrom('payment_events').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function insertEvent(db: Kysely<Database>, event: { id: string; type: string }): Promise<void> {
  await db
    .insertInto('payment_events')
    .values({ id: event.id, type: event.type })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
