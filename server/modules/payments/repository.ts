import type { Kysely, Selectable } from 'kysely'
import type { Database, PaymentsTable } from '../../../db/schema.ts'

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
  await db.updateTable('payments').set({ updated_at: new Date() }).where('intent_id', '=', intentId).execute()
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
