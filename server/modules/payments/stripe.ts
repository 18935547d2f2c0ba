import type { IncomingHttpHeaders } from 'node:http'
import { Stripe } from 'stripe'
import { ShopError } from '../../platform/errors.ts'
import {
  type IntentRequest,
  type IntentStatus,
  type PaymentEvent,
  type PaymentGateway,
  type PaymentIntent,
  type ProviderRefund,
  ProviderRejected,
  ProviderUnavailable,
  type RefundRequest,
} from './gateway.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Replaces Stripe's own API: the sandbox. */
  api?: { host: string; port: number; protocol: 'http' | 'https' }
}

const provider = 'stripe'
/** Calls take well under a second; a customer waits for at most three attempts. */
const timeoutMs = 5_000
/** The SDK adds an idempotency key to every POST, so repeating one is safe. */
const maxRetries = 2

const statuses: Record<Stripe.PaymentIntent.Status, IntentStatus> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'open',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

/** Stripe, or a server that speaks its protocol at `settings.api`. */
export function openStripeGateway(settings: StripeSettings): PaymentGateway {
  const { host, port, protocol } = settings.api ?? {}
  const stripe = new Stripe(settings.secretKey, {
    ...(settings.api && { host, port, protocol }),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
  })
  return {
    provider,
    createIntent: (request) => translateErrors(() => createIntent(stripe, request)),
    findIntent: (id) => translateErrors(() => findIntent(stripe, id)),
    cancelIntent: (id) => translateErrors(() => cancelIntent(stripe, id)),
    refund: (request) => translateErrors(() => refund(stripe, request)),
    retrieveRefund: (id) => translateErrors(async () => toRefund(await stripe.refunds.retrieve(id))),
    readEvent: (headers, body) => readEvent(stripe, headers, body, settings.webhookSecret),
  }
}

async function createIntent(stripe: Stripe, request: IntentRequest): Promise<PaymentIntent> {
  const intent = await stripe.paymentIntents.create(
    {
      amount: request.amountCents,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      metadata: { orderId: request.orderId },
    },
    { idempotencyKey: `order:${request.orderId}:${request.attempt}` },
  )
  return toIntent(intent)
}

async function findIntent(stripe: Stripe, id: string): Promise<PaymentIntent | null> {
  // Another text would change the URL that is requested.
  if (!/^\w+$/.test(id)) return null
  try {
    return toIntent(await stripe.paymentIntents.retrieve(id))
  } catch (error) {
    if (hasCode(error, 'resource_missing')) return null
    throw error
  }
}

async function cancelIntent(stripe: Stripe, id: string): Promise<PaymentIntent | null> {
  try {
    return toIntent(await stripe.paymentIntents.cancel(id))
  } catch (error) {
    if (hasCode(error, 'resource_missing')) return null
    if (hasCode(error, 'payment_intent_unexpected_state') && error.payment_intent)
      return toIntent(error.payment_intent)
    throw error
  }
}

async function refund(stripe: Stripe, { intentId, amountCents, key, attempt }: RefundRequest) {
  // Stripe forgets idempotency keys after 24 hours, but not the refund and its metadata.
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 })
  const made = data.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const sameKey = made.find(({ metadata }) => metadata?.key === key)
  if (sameKey) return toRefund(sameKey)
  try {
    const created = await stripe.refunds.create(
      { payment_intent: intentId, amount: amountCents, metadata: { key } },
      { idempotencyKey: `refund:${key}:${attempt}` },
    )
    return toRefund(created)
  } catch (error) {
    const byEmployee = made.find(({ metadata }) => !metadata?.key)
    if (hasCode(error, 'charge_already_refunded') && byEmployee) return toRefund(byEmployee)
    throw error
  }
}

function readEvent(stripe: Stripe, headers: IncomingHttpHeaders, body: Buffer, secret: string): PaymentEvent {
  const signature = String(headers['stripe-signature'] ?? '')
  // The SDK fails with another error if a part of the signature is empty.
  if (!/v1=\w/.test(signature) || /v1=(?:,|$)/.test(signature)) throw new ShopError('INVALID_SIGNATURE')
  try {
    const event = stripe.webhooks.constructEvent(body, signature, secret)
    return { id: event.id, type: event.type, intentId: findIntentId(event.data.object) }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new ShopError('INVALID_SIGNATURE', { cause: error })
  }
}

/** An event has the intent itself, or an object that belongs to one: a charge, a refund. */
function findIntentId(object: { object?: string; id?: string; payment_intent?: unknown }): string | null {
  if (object.object === 'payment_intent') return object.id ?? null
  return typeof object.payment_intent === 'string' ? object.payment_intent : null
}

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

const hasCode = (error: unknown, code: string): error is StripeError =>
  error instanceof Stripe.errors.StripeError && error.code === code

async function translateErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    // Network, timeout, 5xx, too many requests, or a concurrent request for the same object.
    const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors
    const isTransient = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
      (type) => error instanceof type,
    )
    throw isTransient ? new ProviderUnavailable(error) : new ProviderRejected(error.message, { cause: error })
  }
}

function toIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  const { id, client_secret, metadata } = intent
  if (!client_secret) throw new ProviderRejected(`The payment intent ${id} has no client secret`)
  // The SDK leaves the list of statuses open.
  const status: IntentStatus | undefined = statuses[intent.status]
  if (!status) throw new ProviderRejected(`The payment intent ${id} has the status ${intent.status}`)
  return {
    provider,
    id,
    status,
    clientData: { client_secret },
    amountCents: intent.amount,
    amountReceivedCents: intent.amount_received,
    currency: intent.currency,
    orderId: metadata.orderId ?? null,
  }
}

function toRefund({ id, status, failure_reason }: Stripe.Refund): ProviderRefund {
  const isFailed = status === 'failed' || status === 'canceled'
  return {
    id,
    status: isFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    failure: isFailed ? (failure_reason ?? status) : null,
  }
}
