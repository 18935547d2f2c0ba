import type { Caller } from './call.ts'
import type { ChargeRow, EventRow, PaymentIntentRow, PaymentMethodRow, RefundRow } from './tables.ts'

/** The API version that the SDKs in package.json are pinned to. */
const API_VERSION = '2026-10-28.endive'

/** The fields of an intent for callers with only its client secret. */
function presentIntentToBrowser(row: PaymentIntentRow) {
  return {
    id: row.id,
    object: 'payment_intent',
    amount: row.amount_cents,
    canceled_at: row.canceled_at && epoch(row.canceled_at),
    cancellation_reason: row.cancellation_reason,
    capture_method: 'automatic',
    client_secret: row.client_secret,
    confirmation_method: 'automatic',
    created: epoch(row.created_at),
    currency: row.currency,
    description: row.description,
    last_payment_error: row.last_payment_error,
    livemode: false,
    next_action: nextAction(row),
    payment_method: row.payment_method_id,
    payment_method_types: ['card'],
    status: row.status,
  }
}

/** Returns a PaymentIntent. The browser gets neither `metadata` nor `amount_received`. */
export function presentIntent(row: PaymentIntentRow, caller: Caller): object {
  if (caller === 'publishable') return presentIntentToBrowser(row)
  const received = row.status === 'succeeded' ? row.amount_cents : 0
  return { ...presentIntentToBrowser(row), amount_received: received, metadata: row.metadata }
}

function nextAction(row: PaymentIntentRow) {
  if (row.status !== 'requires_action') return null
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
}

export function presentPaymentMethod(row: PaymentMethodRow): object {
  const { brand, last4, exp_month, exp_year } = row
  return {
    id: row.id,
    object: 'payment_method',
    card: { brand, last4, exp_month, exp_year },
    created: epoch(row.created_at),
    livemode: false,
    type: 'card',
  }
}

export function presentCharge(row: ChargeRow): object {
  return {
    id: row.id,
    object: 'charge',
    amount: row.amount_cents,
    amount_refunded: row.amount_refunded_cents,
    captured: row.status === 'succeeded',
    created: epoch(row.created_at),
    currency: row.currency,
    failure_code: row.failure_code,
    failure_message: row.failure_message,
    livemode: false,
    paid: row.status === 'succeeded',
    payment_intent: row.payment_intent_id,
    payment_method: row.payment_method_id,
    refunded: row.amount_refunded_cents === row.amount_cents,
    status: row.status,
  }
}

export function presentRefund(row: RefundRow): object {
  return {
    id: row.id,
    object: 'refund',
    amount: row.amount_cents,
    charge: row.charge_id,
    created: epoch(row.created_at),
    currency: row.currency,
    metadata: row.metadata,
    payment_intent: row.payment_intent_id,
    reason: row.reason,
    status: row.status,
    ...(row.failure_reason && { failure_reason: row.failure_reason }),
  }
}

export function presentEvent(row: EventRow): object {
  return {
    id: row.id,
    object: 'event',
    api_version: API_VERSION,
    created: epoch(row.created_at),
    data: { object: row.object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: row.request_id, idempotency_key: row.idempotency_key },
    type: row.type,
  }
}

/** Stripe's timestamps are in whole seconds. */
function epoch(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
