import type { Expression } from 'kysely'
import { isSameSignature } from '../../server/platform/secrets/secrets.ts'
import { invalidRequest, missing } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { fromNow } from './clock.ts'
import { recordEvent } from './events.ts'
import { newClientSecret, newId } from './ids.ts'
import { readMetadata, requireInteger, requireText } from './params.ts'
import { presentIntent } from './present.ts'
import { type PaymentIntentRow, paymentIntentColumns } from './tables.ts'

/** Stripe's limits for dollars, in cents. */
const MIN_CENTS = 50
const MAX_CENTS = 99_999_999

const CANCELLABLE: PaymentIntentRow['status'][] = ['requires_payment_method', 'requires_action']

/** `POST /v1/payment_intents` */
export async function createIntent(call: Call): Promise<Reply> {
  const id = newId('pi')
  const row = await call.db
    .insertInto('payment_intents')
    .values({
      id,
      client_secret: newClientSecret(id),
      amount_cents: requireAmount(call.params),
      currency: requireCurrency(call.params),
      metadata: JSON.stringify(readMetadata(call.params)),
      description: call.params.get('description'),
    })
    .returning(paymentIntentColumns)
    .executeTakeFirstOrThrow()
  await recordEvent(call, 'payment_intent.created', presentIntent(row, 'secret'))
  return ok(presentIntent(row, call.caller))
}

/** `GET /v1/payment_intents/:id` */
export async function retrieveIntent(call: Call): Promise<Reply> {
  return ok(presentIntent(await requireIntent(call), call.caller))
}

/** `POST /v1/payment_intents/:id/cancel` */
export async function cancelIntent(call: Call): Promise<Reply> {
  const intent = await lockIntent(call)
  if (!CANCELLABLE.includes(intent.status)) {
    const allowed = CANCELLABLE.join(', ')
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${allowed}.`
    throw unexpectedState(call, intent, message)
  }
  const canceled = await updateIntent(call, intent.id, {
    status: 'canceled',
    canceled_at: fromNow(0),
    cancellation_reason: call.params.get('cancellation_reason'),
  })
  await recordEvent(call, 'payment_intent.canceled', presentIntent(canceled, 'secret'))
  return ok(presentIntent(canceled, call.caller))
}

/** Returns the intent of the path. A browser must send its client secret. @throws ApiError resource_missing */
export async function requireIntent(call: Call): Promise<PaymentIntentRow> {
  return requireVisible(call, await selectIntent(call).executeTakeFirst())
}

/** Like `requireIntent`, and locks the row until the end of the transaction. */
export async function lockIntent(call: Call): Promise<PaymentIntentRow> {
  return requireVisible(call, await selectIntent(call).forUpdate().executeTakeFirst())
}

export function updateIntent(
  call: Call,
  id: string,
  change: { status: PaymentIntentRow['status'] } & Partial<
    Pick<PaymentIntentRow, 'payment_method_id' | 'cancellation_reason'>
  > & { last_payment_error?: string | null; canceled_at?: Expression<Date>; decided_at?: Expression<Date> },
): Promise<PaymentIntentRow> {
  return call.db
    .updateTable('payment_intents')
    .set({ decided_at: null, ...change })
    .where('id', '=', id)
    .returning(paymentIntentColumns)
    .executeTakeFirstOrThrow()
}

export function unexpectedState(call: Call, intent: PaymentIntentRow, message: string) {
  const payment_intent = presentIntent(intent, call.caller)
  return invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent })
}

function selectIntent(call: Call) {
  return call.db.selectFrom('payment_intents').select(paymentIntentColumns).where('id', '=', call.id)
}

function requireVisible(call: Call, intent: PaymentIntentRow | undefined): PaymentIntentRow {
  const clientSecret = call.params.get('client_secret') ?? ''
  const isAllowed =
    call.caller === 'secret' || (intent && isSameSignature(clientSecret, intent.client_secret))
  if (!intent || !isAllowed) throw missing('payment_intent', call.id, 'intent')
  return intent
}

function requireAmount(params: URLSearchParams): number {
  const amount = requireInteger(params, 'amount')
  if (amount < MIN_CENTS) {
    throw invalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' })
  }
  if (amount > MAX_CENTS) {
    throw invalidRequest('Amount must be no more than $999,999.99', {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
  return amount
}

function requireCurrency(params: URLSearchParams): string {
  const currency = requireText(params, 'currency').toLowerCase()
  if (currency === 'usd') return currency
  throw invalidRequest(`The sandbox supports only usd, not ${currency}.`, { param: 'currency' })
}
