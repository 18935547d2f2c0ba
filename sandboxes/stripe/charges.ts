import { invalidRequest, missing } from './api-error.ts'
import type { Call } from './call.ts'
import type { Decline } from './cards.ts'
import { newId } from './ids.ts'
import { type ChargeRow, chargeColumns, type PaymentIntentRow, type PaymentMethodRow } from './tables.ts'

/** Records a charge, or a decline with its reason. The caller holds the intent's lock. */
export function insertCharge(
  call: Call,
  intent: PaymentIntentRow,
  method: PaymentMethodRow,
  decline: Decline | null,
): Promise<ChargeRow> {
  return call.db
    .insertInto('charges')
    .values({
      id: newId('ch'),
      payment_intent_id: intent.id,
      payment_method_id: method.id,
      amount_cents: intent.amount_cents,
      currency: intent.currency,
      status: decline ? 'failed' : 'succeeded',
      failure_code: decline?.code ?? null,
      failure_message: decline?.message ?? null,
    })
    .returning(chargeColumns)
    .executeTakeFirstOrThrow()
}

/** Locks and returns the intent's successful charge, so that concurrent refunds cannot exceed it. */
export async function lockSuccessfulCharge(call: Call, intentId: string): Promise<ChargeRow> {
  const charge = await call.db
    .selectFrom('charges')
    .select(chargeColumns)
    .where('payment_intent_id', '=', intentId)
    .where('status', '=', 'succeeded')
    .forUpdate()
    .executeTakeFirst()
  if (charge) return charge
  const intents = call.db.selectFrom('payment_intents').select('id').where('id', '=', intentId)
  if (!(await intents.executeTakeFirst())) throw missing('payment_intent', intentId, 'payment_intent')
  throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`)
}
