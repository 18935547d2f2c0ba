import { Stripe } from 'stripe'
import {
  INTENT_STATUSES,
  IntentNotFound,
  type IntentRequest,
  IntentStateConflict,
  type IntentStatus,
  type PaymentEvent,
  type PaymentGateway,
  type PaymentIntent,
  ProviderRefused,
  ProviderUnavailable,
  type Refund,
  SignatureInvalid,
} from './gateway.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Where the API is, if not at Stripe: the sandbox's listener. */
  api?: { host: string; port: number; protocol: 'http' | 'https' }
}

const CURRENCY = 'usd'
/** What we ask for takes the provider well under a second: three tries within the patience of somebody who waits. */
const TIMEOUT_MS = 5_000
/** The SDK keys every POST, so repeating one is safe. */
const RETRIES = 2

/** Stripe, or whatever speaks its protocol at `settings.api`. */
export function openStripeGateway(settings: StripeSettings): PaymentGateway {
  const { host, port, protocol } = settings.api ?? {}
  const stripe = new Stripe(settings.secretKey, {
    ...(settings.api && { host, port, protocol }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  })
  return {
    createIntent: (request) => translated(() => createIntent(stripe, request)),
    retrieveIntent: (id) => translated(async () => toIntent(await stripe.paymentIntents.retrieve(id))),
    cancelIntent: (id) => translated(() => cancelIntent(stripe, id)),
    refundInFull: (intentId, attempt) => translated(() => refundInFull(stripe, intentId, attempt)),
    retrieveRefund: (id) => translated(async () => toRefund(await stripe.refunds.retrieve(id))),
    readEvent: (body, signature) => readEvent(stripe, body, signature, settings.webhookSecret),
  }
}

async function createIntent(stripe: Stripe, request: IntentRequest): Promise<PaymentIntent> {
  const intent = await stripe.paymentIntents.create(
    {
      amount: request.amountCents,
      currency: CURRENCY,
      allowed_payment_method_types: ['card'],
      metadata: { orderId: request.orderId },
    },
    { idempotencyKey: `order:${request.orderId}:${request.attempt}` },
  )
  return toIntent(intent)
}

async function cancelIntent(stripe: Stripe, id: string): Promise<PaymentIntent> {
  try {
    return toIntent(await stripe.paymentIntents.cancel(id))
  } catch (error) {
    const conflict = toConflict(error)
    if (conflict?.intent.status === 'canceled') return conflict.intent
    throw error
  }
}

async function refundInFull(stripe: Stripe, intentId: string, attempt: number): Promise<Refund> {
  try {
    const refund = await stripe.refunds.create(
      { payment_intent: intentId },
      { idempotencyKey: `refund:${intentId}:${attempt}` },
    )
    return toRefund(refund)
  } catch (error) {
    // The key is forgotten after 24 hours; the refund is not.
    if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'charge_already_refunded') throw error
    const refunds = (await stripe.refunds.list({ payment_intent: intentId })).data.map(toRefund)
    const made = refunds.find(({ status }) => status !== 'failed' && status !== 'canceled')
    if (!made) throw error
    return made
  }
}

function readEvent(
  stripe: Stripe,
  body: Buffer,
  signature: string | undefined,
  secret: string,
): PaymentEvent {
  try {
    // An empty part of it makes the SDK stumble, where it would refuse a wrong one.
    if (!/v1=\w/.test(signature ?? '') || /v1=(?:,|$)/.test(signature ?? ''))
      throw new SignatureInvalid('The webhook has no whole signature')
    const event = stripe.webhooks.constructEvent(body, signature ?? '', secret)
    return { id: event.id, type: event.type, intentId: intentIdOf(event.data.object) }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new SignatureInvalid('The webhook is not signed by the payment provider', { cause: error })
  }
}

/** An event carries the intent itself, or something that belongs to one: a charge, a refund. */
function intentIdOf(object: { object?: string; id?: string; payment_intent?: unknown }): string | null {
  if (object.object === 'payment_intent') return object.id ?? null
  return typeof object.payment_intent === 'string' ? object.payment_intent : null
}

async function translated<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    throw translate(error)
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error.code === 'resource_missing') return new IntentNotFound(error.message, { cause: error })
  const conflict = toConflict(error)
  if (conflict) return conflict
  if (isTransient(error)) return new ProviderUnavailable(error.message, { cause: error })
  return new ProviderRefused(error.message, { cause: error })
}

function toConflict(error: unknown): IntentStateConflict | null {
  if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'payment_intent_unexpected_state') {
    return null
  }
  return error.payment_intent
    ? new IntentStateConflict(toIntent(error.payment_intent), { cause: error })
    : null
}

/** Network, timeout, 5xx, too many requests, or another request at work on the same thing. */
function isTransient(error: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors
  return [StripeAPIError, StripeConnectionError, StripeRateLimitError].some((kind) => error instanceof kind)
}

function toIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  if (!intent.client_secret) throw new ProviderRefused(`The payment intent ${intent.id} has no client secret`)
  const { status } = intent
  if (!isKnown(status)) throw new ProviderRefused(`The payment intent ${intent.id} has the status ${status}`)
  return {
    id: intent.id,
    clientSecret: intent.client_secret,
    status,
    amountCents: intent.amount,
    amountReceivedCents: intent.amount_received,
    currency: intent.currency,
    orderId: intent.metadata.orderId ?? null,
  }
}

/** The SDK leaves the list of statuses open; the shop decides on each of them by name. */
function isKnown(status: string): status is IntentStatus {
  return INTENT_STATUSES.some((known) => known === status)
}

function toRefund(refund: Stripe.Refund): Refund {
  const { id, amount, status, payment_intent, failure_reason } = refund
  const intentId = typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? '')
  return {
    id,
    intentId,
    amountCents: amount,
    status: status ?? 'pending',
    failureReason: failure_reason ?? null,
  }
}
