import { invalidRequest } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { type Decline, requireBehaviour } from './cards.ts'
import { insertCharge } from './charges.ts'
import { getDecisionTime } from './clock.ts'
import { recordEvent } from './events.ts'
import { lockIntent, unexpectedState, updateIntent } from './intents.ts'
import { requireText } from './params.ts'
import { requirePaymentMethod } from './payment-methods.ts'
import { presentCharge, presentIntent } from './present.ts'
import type { ChargeRow, LastPaymentError, PaymentIntentRow, PaymentMethodRow } from './tables.ts'

const NOT_AUTHENTICATED: LastPaymentError = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/** `POST /v1/payment_intents/:id/confirm`: charges the card, or asks for 3-D Secure first. */
export async function confirmIntent(call: Call): Promise<Reply> {
  const intent = await lockIntent(call)
  refuseToConfirm(call, intent)
  const method = await requirePaymentMethod(call.db, requireText(call.params, 'payment_method'))
  if (!requireBehaviour(method.behaviour).authenticates) return startCharge(call, intent, method)
  const waiting = await updateIntent(call, intent.id, {
    status: 'requires_action',
    payment_method_id: method.id,
    last_payment_error: null,
  })
  await recordEvent(call, 'payment_intent.requires_action', presentIntent(waiting, 'secret'))
  return ok(presentIntent(waiting, call.caller))
}

/**
 * `POST /v1/payment_intents/:id/sandbox_authenticate`: the result of 3-D Secure, sent by the sandbox's page.
 * Stripe has no such call.
 */
export async function authenticateIntent(call: Call): Promise<Reply> {
  const outcome = requireText(call.params, 'outcome')
  const intent = await lockIntent(call)
  if (intent.status !== 'requires_action' || !intent.payment_method_id) {
    throw unexpectedState(
      call,
      intent,
      `This PaymentIntent does not require authentication: its status is ${intent.status}.`,
    )
  }
  if (outcome === 'complete') {
    return startCharge(call, intent, await requirePaymentMethod(call.db, intent.payment_method_id))
  }
  if (outcome === 'fail') return ok(await failPayment(call, intent, NOT_AUTHENTICATED))
  throw invalidRequest('Invalid outcome: must be one of complete or fail', { param: 'outcome' })
}

function refuseToConfirm(call: Call, intent: PaymentIntentRow): void {
  if (intent.status === 'requires_payment_method' || intent.status === 'requires_action') return
  const why =
    intent.status === 'succeeded'
      ? 'it has already succeeded after being previously confirmed'
      : `it has a status of ${intent.status}`
  throw unexpectedState(call, intent, `You cannot confirm this PaymentIntent because ${why}.`)
}

async function startCharge(call: Call, intent: PaymentIntentRow, method: PaymentMethodRow): Promise<Reply> {
  if (!requireBehaviour(method.behaviour).isDelayed) return charge(call, intent, method)
  const processing = await updateIntent(call, intent.id, {
    status: 'processing',
    payment_method_id: method.id,
    last_payment_error: null,
    decided_at: getDecisionTime('payment'),
  })
  await recordEvent(call, 'payment_intent.processing', presentIntent(processing, 'secret'))
  return ok(presentIntent(processing, call.caller))
}

/** The caller holds the intent's row lock, so charges do not run concurrently. */
export async function charge(call: Call, intent: PaymentIntentRow, method: PaymentMethodRow): Promise<Reply> {
  const { decline } = requireBehaviour(method.behaviour)
  const charged = await insertCharge(call, intent, method, decline)
  if (decline) return declined(call, intent, charged, decline)
  const succeeded = await updateIntent(call, intent.id, {
    status: 'succeeded',
    payment_method_id: method.id,
    last_payment_error: null,
  })
  await recordEvent(call, 'charge.succeeded', presentCharge(charged))
  await recordEvent(call, 'payment_intent.succeeded', presentIntent(succeeded, 'secret'))
  return ok(presentIntent(succeeded, call.caller))
}

async function declined(
  call: Call,
  intent: PaymentIntentRow,
  charged: ChargeRow,
  decline: Decline,
): Promise<Reply> {
  const error: LastPaymentError = { type: 'card_error', ...decline, charge: charged.id }
  await recordEvent(call, 'charge.failed', presentCharge(charged))
  const payment_intent = await failPayment(call, intent, error)
  return { status: 402, body: { error: { ...error, payment_intent } } }
}

/** Resets the intent, so that another card can be tried. Returns it in the shape for this caller. */
async function failPayment(call: Call, intent: PaymentIntentRow, error: LastPaymentError): Promise<object> {
  const failed = await updateIntent(call, intent.id, {
    status: 'requires_payment_method',
    payment_method_id: null,
    last_payment_error: JSON.stringify(error),
  })
  await recordEvent(call, 'payment_intent.payment_failed', presentIntent(failed, 'secret'))
  return presentIntent(failed, call.caller)
}
