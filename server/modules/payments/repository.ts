import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database, RefundLinesTable, RefundsTable } from '../../../db/schema.ts'
import { newId } from '../../platform/database/database.ts'
import { itemLeaseMs } from '../../platform/jobs.ts'
import { type Payment, type Refund, refundColumns } from './queries.ts'
import type { PaymentIntent, ProviderKey, ProviderRefund } from './stripe.ts'

/** Inserts an open payment. Does nothing if it is there, or if another payment of the order is live. */
export async function insertPayment(
  db: Kysely<Database>,
  orderId: string,
  { provider, id: intent_id, amountCents: amount_cents }: PaymentIntent,
  attempt: number,
): Promise<void> {
  await db
    .insertInto('payments')
    .values({
      provider,
      intent_id,
      order_id: orderId,
      attempt,
      amount_cents,
      currency: 'usd',
      status: 'open',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Updates the status of a payment that is not final. Returns the change, if there is one.
 *
 * @param before the recorded status before the provider was asked. If another process has changed it since, the response
 * may be older than the change and is ignored, unless it is final: the next check asks again.
 */
export async function setProgress(
  db: Kysely<Database>,
  { provider, id }: ProviderKey,
  status: Exclude<PaymentIntent['status'], 'succeeded'>,
  before: Payment['status'] | undefined,
): Promise<{ order_id: string; from: Payment['status']; to: Payment['status'] } | undefined> {
  const { rows } = await sql<{ order_id: string; from: Payment['status']; to: Payment['status'] }>`
    with known as (
      select provider, intent_id, status from payments
      where provider = ${provider} and intent_id = ${id} and status in ('open', 'processing')
        and (status = ${before ?? null}::text or ${status}::text = 'cancelled')
      for update
    )
    update payments set status = ${status}, updated_at = now() from known
    where payments.provider = known.provider and payments.intent_id = known.intent_id and known.status <> ${status}
    returning payments.order_id, known.status as "from", payments.status as "to"`.execute(db)
  return rows[0]
}

/**
 * Records the outcome of an intent that has succeeded, with its order locked. Inserts the payment if the shop did not
 * open it, as for one that an employee made in the provider's dashboard.
 */
export async function recordOutcome(
  db: Kysely<Database>,
  orderId: string,
  { provider, id, amountCents }: PaymentIntent,
  status: 'succeeded' | 'unmatched',
): Promise<void> {
  await sql`
    insert into payments (provider, intent_id, order_id, attempt, amount_cents, currency, status)
    select ${provider}, ${id}, ${orderId}, count(*) + 1, ${amountCents}::integer, 'usd', ${status}
    from payments where order_id = ${orderId}
    on conflict (provider, intent_id) do update set status = excluded.status, updated_at = now()
    where payments.status <> 'unmatched'`.execute(db)
}

/**
 * Records that the rest of a payment, which no refund covers yet, has to be refunded; with its order locked. Call it in
 * the transaction that finds the payment to be unmatched, before the provider is asked: then no failure loses it.
 *
 * @returns false if refunds cover the payment already
 */
export async function recordRefundDue(
  db: Kysely<Database>,
  orderId: string,
  { provider, id, amountReceivedCents }: PaymentIntent,
  reason: string,
): Promise<boolean> {
  // The caller asks the provider itself, so the job waits for a minute.
  const { rows } = await sql`
    insert into refunds (id, provider, intent_id, order_id, amount_cents, reason, next_attempt_at)
    select ${newId()}, ${provider}, ${id}, ${orderId}, ${amountReceivedCents}::integer - coalesce(sum(amount_cents), 0),
      ${reason}, now() + interval '1 minute'
    from refunds where provider = ${provider} and intent_id = ${id}
    having coalesce(sum(amount_cents), 0) < ${amountReceivedCents}::integer
    returning id`.execute(db)
  return rows.length === 1
}

/**
 * Records the refund of a paid order, with what it returns; with its order locked. Call it before the stock is returned. A
 * refund of nothing is closed from the start.
 */
export async function insertRefund(
  db: Kysely<Database>,
  refund: Insertable<RefundsTable>,
  lines: Omit<Insertable<RefundLinesTable>, 'refund_id'>[],
): Promise<Refund> {
  const inserted = await db
    .insertInto('refunds')
    // The caller asks the provider itself, so the job waits for a minute.
    .values({
      ...refund,
      ...(refund.amount_cents === 0
        ? { status: 'closed', next_attempt_at: null }
        : { next_attempt_at: sql`now() + interval '1 minute'` }),
    })
    .returning(refundColumns)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('refund_lines')
    .values(lines.map((line) => ({ ...line, refund_id: refund.id })))
    .execute()
  return inserted
}

/**
 * Longer than the requests of a refund: up to ten pages of the list and its creation, each three times for 5 s. A killed
 * process leaves its mark for as long.
 */
const maxRequestMs = 180_000

/** Marks a refund that is about to be requested, until its result is recorded. Returns false if it is closed. */
export async function markRequested(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ requested_until: sql`now() + ${maxRequestMs}::float8 * interval '1 millisecond'` })
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Closes a failed refund.
 *
 * @returns false if it is not failed any more, or if a process is requesting it or has done so since it was read
 */
export async function closeRefund(
  db: Kysely<Database>,
  { id, attempt }: Pick<Refund, 'id' | 'attempt'>,
  note: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ status: 'closed', note, next_attempt_at: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .where('attempt', '=', attempt)
    .where(sql<boolean>`(requested_until < now()) is not false`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Records the result of an attempt, and when to try again: after a minute, and twice as long after each failure. The age
 * of a refund also lengthens the wait, to a twentieth of it. The longest wait is six hours. Does nothing if another process
 * recorded this attempt, unless its refund has failed at the provider and this is new. A refund that has succeeded can
 * only fail, and a closed one only succeed; if it fails after that, it is closed again, because the customer has the money.
 *
 * @returns the status before and after, and the event for the history of the order; null if nothing was recorded
 */
export async function recordRefundResult(
  db: Kysely<Database>,
  { id, attempt }: Refund,
  result: Pick<ProviderRefund, 'failure'> & { id?: string; status: ProviderRefund['status'] | 'unavailable' },
): Promise<{
  from: Refund['status']
  to: Refund['status']
  event: 'refunded' | 'refund_failed' | null
} | null> {
  const { status, failure } = result
  const { rows } = await sql<{ from: Refund['status']; to: Refund['status'] }>`
    with known as (
      select id, status, attempt, provider_refund_id, ${status}::text = 'failed' and note <> '' as is_closed from refunds
      where id = ${id} and (attempt = ${attempt}::integer
        or ${status}::text = 'failed' and status <> 'failed' and coalesce(provider_refund_id, ${result.id ?? null}) = ${result.id ?? null}::text)
      for update
    )
    update refunds set
      status = case when known.is_closed then 'closed' when ${status}::text = 'unavailable' then known.status
        else ${status}::text end,
      attempt = known.attempt + case when ${failure}::text is null then 0 else 1 end,
      provider_refund_id = coalesce(${result.id ?? null}::text, known.provider_refund_id),
      failure = ${failure}::text,
      requested_until = null,
      next_attempt_at = case when known.is_closed or ${status}::text = 'succeeded' then null
        else now() + least(interval '6 hours',
          greatest(interval '1 minute' * 2 ^ least(known.attempt - 1, 10), (now() - refunds.created_at) / 20)) end,
      updated_at = now()
    from known
    where refunds.id = known.id
      and case known.status when 'closed' then ${status}::text = 'succeeded'
        when 'succeeded' then ${status}::text = 'failed' else true end
    returning known.status as "from", refunds.status as "to"`.execute(db)
  const [change] = rows
  if (!change) return null
  const { from, to } = change
  if (from === to) return { from, to, event: null }
  return { from, to, event: to === 'succeeded' ? 'refunded' : to === 'pending' ? null : 'refund_failed' }
}

/**
 * Claims the payment whose status has been checked least recently, so that no other process checks it too. An older payment is
 * checked less often, at least once an hour: Stripe allows 500 reads per payment on average.
 */
export async function claimUnsettledPayment(
  db: Kysely<Database>,
  minAgeMs: number,
): Promise<ProviderKey | undefined> {
  const { rows } = await sql<ProviderKey>`
    update payments set checked_at = now() where (provider, intent_id) = (
      select provider, intent_id from payments
      where status in ('open', 'processing') and checked_at < now()
        - greatest(${minAgeMs}::float8 * interval '1 millisecond', least((now() - created_at) / 20, interval '1 hour'))
      order by checked_at limit 1 for update skip locked
    )
    returning provider, intent_id as id`.execute(db)
  return rows[0]
}

/** The bank of a card returns the money of a refund that it refuses within days. */
const checkedDays = 30

/** Claims a refund that has succeeded lately and was not checked for a day, so that no other process checks it too. */
export async function claimSucceededRefund(db: Kysely<Database>): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    update refunds set checked_at = now() where id = (
      select id from refunds
      where status = 'succeeded' and updated_at > now() - ${checkedDays}::integer * interval '1 day'
        and checked_at < now() - interval '1 day'
      limit 1 for update skip locked
    )
    returning ${sql.join(refundColumns.map(sql.ref))}`.execute(db)
  return rows[0]
}

/** Makes a claimed refund due for its check again. */
export async function setUnchecked(db: Kysely<Database>, id: string): Promise<void> {
  await sql`update refunds set checked_at = now() - interval '2 days' where id = ${id}`.execute(db)
}

/** Claims the refund that has been due longest, so that no other process requests it too. */
export async function claimDueRefund(db: Kysely<Database>, dueWithinMs: number): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    update refunds set next_attempt_at = now() + ${itemLeaseMs}::float8 * interval '1 millisecond'
    where id = (
      select id from refunds where next_attempt_at <= now() + ${dueWithinMs}::float8 * interval '1 millisecond'
      order by next_attempt_at limit 1 for update skip locked
    )
    returning ${sql.join(refundColumns.map(sql.ref))}`.execute(db)
  return rows[0]
}
