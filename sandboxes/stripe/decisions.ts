import { sql } from 'kysely'
import { missing } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { charge } from './confirm.ts'
import { recordEvent } from './events.ts'
import { newId } from './ids.ts'
import { lockIntent, requireIntent, unexpectedState } from './intents.ts'
import { requirePaymentMethod } from './payment-methods.ts'
import { presentIntent, presentRefund } from './present.ts'
import {
  type PaymentIntentRow,
  paymentIntentColumns,
  type RefundRow,
  refundColumns,
  type SandboxDb,
} from './tables.ts'

/**
 * `POST /v1/payment_intents/:id/sandbox_decide`: decides a processing payment immediately.
 * Stripe has no such call.
 */
export async function decideIntentNow(call: Call): Promise<Reply> {
  const intent = await lockIntent(call)
  if (intent.status !== 'processing') {
    throw unexpectedState(call, intent, `This PaymentIntent is not processing: it is ${intent.status}.`)
  }
  await decideIntent(call, intent)
  return ok(presentIntent(await requireIntent(call), call.caller))
}

/** `POST /v1/refunds/:id/sandbox_decide`: the same for a refund. Does nothing if it is already decided. */
export async function decideRefundNow(call: Call): Promise<Reply> {
  const refunds = call.db.selectFrom('refunds').select(refundColumns).where('id', '=', call.id)
  const refund = await refunds.forUpdate().executeTakeFirst()
  if (!refund) throw missing('refund', call.id)
  return ok(presentRefund(refund.decided_at ? await decideRefund(call, refund) : refund))
}

/** Decides all due payments and refunds. Several processes may run it concurrently. */
export async function decideDue(db: SandboxDb): Promise<void> {
  while (await decideNext(db));
}

function decideNext(db: SandboxDb): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const call: Call = {
      db: tx,
      caller: 'secret',
      id: '',
      params: new URLSearchParams(),
      requestId: newId('req'),
      idempotencyKey: null,
    }
    const isDue = sql<boolean>`decided_at <= now()`
    const intents = tx.selectFrom('payment_intents').select(paymentIntentColumns).where(isDue).limit(1)
    const intent = await intents.forUpdate().skipLocked().executeTakeFirst()
    if (intent) await decideIntent(call, intent)
    const refunds = tx.selectFrom('refunds').select(refundColumns).where(isDue).limit(1)
    const refund = await refunds.forUpdate().skipLocked().executeTakeFirst()
    if (refund) await decideRefund(call, refund)
    return intent !== undefined || refund !== undefined
  })
}

/** Returns the milliseconds until the next decision is due, or null if none is pending. */
export async function msUntilNextDecision(db: SandboxDb): Promise<number | null> {
  const { wait } = await db
    .selectNoFrom(
      sql<number | null>`extract(epoch from least(
        (select min(decided_at) from sandbox.payment_intents), (select min(decided_at) from sandbox.refunds)
      ) - now())::float8 * 1000`.as('wait'),
    )
    .executeTakeFirstOrThrow()
  return wait === null ? null : Math.max(wait, 0)
}

/** The caller holds the intent's lock. */
async function decideIntent(call: Call, intent: PaymentIntentRow): Promise<void> {
  await charge(call, intent, await requirePaymentMethod(call.db, intent.payment_method_id ?? ''))
}

/** The caller holds the refund's lock. A pending refund succeeds, and a successful one fails. */
async function decideRefund(call: Call, refund: RefundRow): Promise<RefundRow> {
  const succeeds = refund.status === 'pending'
  const decided = await call.db
    .updateTable('refunds')
    .set(
      succeeds
        ? { status: 'succeeded', decided_at: null }
        : { status: 'failed', failure_reason: 'expired_or_canceled_card', decided_at: null },
    )
    .where('id', '=', refund.id)
    .returning(refundColumns)
    .executeTakeFirstOrThrow()
  if (!succeeds) {
    await call.db
      .updateTable('charges')
      .set((eb) => ({ amount_refunded_cents: eb('amount_refunded_cents', '-', refund.amount_cents) }))
      .where('id', '=', refund.charge_id)
      .execute()
  }
  await recordEvent(call, succeeds ? 'refund.updated' : 'refund.failed', presentRefund(decided))
  return decided
}
