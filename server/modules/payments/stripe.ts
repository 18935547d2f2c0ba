import type { IncomingHttpHeaders } from 'node:http'
import { Stripe } from 'stripe'
import { ShopError } from '../../platform/errors.ts'
import { createCounter, createHistogram } from '../../platform/telemetry/metrics.ts'
import { traceHeaders, withOutcomeSpan } from '../../platform/telemetry/tracing.ts'

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Replaces Stripe's own API: the sandbox. */
  api?: { host: string; port: number; protocol: 'http' | 'https' }
}

/** An id that a provider has assigned is unique only together with the provider's name. */
export interface ProviderKey {
  provider: string
  id: string
}

export type PaymentGateway = ReturnType<typeof openStripeGateway>
/** One attempt to collect one amount for one order, as stored by the provider. */
export type PaymentIntent = ReturnType<typeof toIntent>
export type ProviderRefund = ReturnType<typeof toRefund>

/** No usable response in time: whether the call took effect is unknown. Ask again later. */
export class ProviderUnavailable extends ShopError {
  /** For the log and the admins. */
  readonly reason: string

  constructor(cause: Error) {
    super('PAYMENT_PROVIDER_UNAVAILABLE', { cause })
    this.reason = cause.message
  }
}

/** The provider rejects the request itself (wrong key, wrong amount): a fault of the configuration or of the shop. */
export class ProviderRejected extends Error {}

/** The value of the columns `provider`. */
export const provider = 'stripe'
/** Calls take well under a second; a customer waits for at most three attempts. */
const timeoutMs = 5_000
/** The SDK adds an idempotency key to every POST, so repeating one is safe. */
const maxRetries = 2

/** `open`: can be paid; `processing`: being paid; `succeeded` and `cancelled` are final. */
type IntentStatus = 'open' | 'processing' | 'succeeded' | 'cancelled'

const statuses: Record<Stripe.PaymentIntent.Status, IntentStatus> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'open',
  processing: 'processing',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

/**
 * Stripe, or a server that speaks its protocol at `settings.api`. Every call may be repeated and takes effect once. A
 * call can take 15 seconds, createIntent twice as long: never hold a lock. Throws ProviderUnavailable or ProviderRejected.
 */
export function openStripeGateway({ secretKey, webhookSecret, api }: StripeSettings) {
  const stripe = new Stripe(secretKey, {
    ...(api && { host: api.host, port: api.port, protocol: api.protocol }),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
    httpClient: createHttpClient(),
  })
  return {
    /** Returns the same intent for the same order and attempt, unless the provider has saved an error for them. */
    createIntent: (request: IntentRequest) => send('createIntent', () => createIntent(stripe, request)),
    /** Returns null if the provider has no such intent; the id may be any text. */
    findIntent: (id: string) => send('findIntent', () => findIntent(stripe, id)),
    /** Returns the intent as it is afterwards: `cancelled`, or what it became before. Null if there is none. */
    cancelIntent: (id: string) => send('cancelIntent', () => cancelIntent(stripe, id)),
    refund: (request: RefundRequest) => send('refund', () => refund(stripe, request)),
    /** Returns the refund with this key that has not failed; null if the provider has none. */
    findRefund: (request: Pick<RefundRequest, 'intentId' | 'key'>) =>
      send('findRefund', () => findRefund(stripe, request)),
    retrieveRefund: (id: string) =>
      send('retrieveRefund', async () => toRefund(await stripe.refunds.retrieve(id))),
    /**
     * Verifies that the provider sent this webhook. An event reports only that something happened: read the intent
     * for its present status.
     *
     * @param body the bytes of the request, unchanged
     * @returns the id of the intent, and whether its card was declined; null if the event is not about an intent
     * @throws INVALID_SIGNATURE
     */
    readEvent(headers: IncomingHttpHeaders, body: Buffer): { intentId: string; isDecline: boolean } | null {
      const signature = String(headers['stripe-signature'] ?? '')
      // The SDK rejects an old time only, and fails with another error if a part of the signature is empty.
      const seconds = Number(/^t=(\d+)(?:,(?!t=)[^,=]+=[^,=]+)+$/.exec(signature)?.[1])
      const isTimely = seconds <= Date.now() / 1000 + stripe.webhooks.DEFAULT_TOLERANCE
      if (!isTimely) throw new ShopError('INVALID_SIGNATURE')
      try {
        const { type, data } = stripe.webhooks.constructEvent(body, signature, webhookSecret)
        const intentId = findIntentId(data.object)
        return intentId === null ? null : { intentId, isDecline: type === 'payment_intent.payment_failed' }
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
        throw new ShopError('INVALID_SIGNATURE', { cause: error })
      }
    },
  }
}

interface IntentRequest {
  amountCents: number
  orderId: string
  /** Counts the intents of the order. Otherwise the provider repeats a cancelled one for 24 hours. */
  attempt: number
}

async function createIntent(stripe: Stripe, request: IntentRequest) {
  const create = (options?: Stripe.RequestOptions) =>
    stripe.paymentIntents.create(
      {
        amount: request.amountCents,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        metadata: { orderId: request.orderId },
      },
      options,
    )
  try {
    return toIntent(await create({ idempotencyKey: `order:${request.orderId}:${request.attempt}` }))
  } catch (error) {
    if (!isReplayed(error)) throw error
    // Stripe returns a saved error for 24 hours, so this request has a random key, added by the SDK. If the failed
    // request created an intent, it cannot be paid: its secret was never returned.
    return toIntent(await create())
  }
}

/** Whether the provider has returned the saved error of an earlier request with the same key. */
const isReplayed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true'

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

interface RefundRequest {
  intentId: string
  amountCents: number
  /** The provider refunds once per key, however much later it is asked again. */
  key: string
  /** The other refunds of this intent that the shop has recorded. */
  recordedIds: string[]
}

/** More than a refund makes in eight months if it always fails. A page has 100. */
const maxRefunds = 1000

/** Returns the refunds of a payment, with those that have failed, the newest first. */
const listRefunds = (stripe: Stripe, intentId: string): Promise<Stripe.Refund[]> =>
  stripe.refunds.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: maxRefunds })

const isMade = ({ status }: Stripe.Refund): boolean => status !== 'failed' && status !== 'canceled'

async function findRefund(
  stripe: Stripe,
  { intentId, key }: Pick<RefundRequest, 'intentId' | 'key'>,
): Promise<ProviderRefund | null> {
  try {
    const all = await listRefunds(stripe, intentId)
    const made = all.find((each) => isMade(each) && each.metadata?.key === key)
    return made ? toRefund(made) : null
  } catch (error) {
    // The shop has changed its account: the provider does not know the payment.
    if (hasCode(error, 'resource_missing')) return null
    throw error
  }
}

async function refund(stripe: Stripe, { intentId, amountCents, key, recordedIds }: RefundRequest) {
  const all = await listRefunds(stripe, intentId)
  const made = all.filter(isMade)
  // Stripe forgets idempotency keys after 24 hours, but not the refund and its metadata.
  const own = all.filter(({ metadata }) => metadata?.key === key)
  const sameKey = own.find(isMade)
  if (sameKey) return toRefund(sameKey)
  try {
    const created = await stripe.refunds.create(
      { payment_intent: intentId, amount: amountCents, metadata: { key } },
      // A new key only after a refund has failed: a request without a response may still arrive.
      { idempotencyKey: `refund:${key}:${own.length}` },
    )
    return toRefund(created)
  } catch (error) {
    // An employee has made it in the dashboard of the provider.
    const byEmployee = made.find(
      ({ id, amount, metadata }) => !metadata?.key && amount === amountCents && !recordedIds.includes(id),
    )
    if (hasCode(error, 'charge_already_refunded') && byEmployee) return toRefund(byEmployee)
    throw error
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

const requests = createCounter({
  name: 'shop_payment_requests_total',
  help: 'Requests to the payment provider, after retries.',
  labelNames: ['operation', 'outcome'],
})
const durations = createHistogram({
  name: 'shop_payment_request_duration_seconds',
  help: 'Duration of requests to the payment provider, with their retries.',
  labelNames: ['operation'],
})

/** Makes and measures a request. @throws ProviderUnavailable, ProviderRejected */
const send = <Result>(operation: string, call: () => Promise<Result>): Promise<Result> =>
  withOutcomeSpan('call', `payment ${operation}`, async (span) => {
    const stopTimer = durations.startTimer({ operation })
    let outcome = 'failure'
    try {
      const result = await call()
      outcome = 'success'
      return result
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      // Network, timeout, 5xx, too many requests, or a concurrent request for the same object.
      const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors
      const isTransient = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
        (type) => error instanceof type,
      )
      outcome = isTransient ? 'unavailable' : 'rejected'
      span.setAttribute('shop.outcome', outcome)
      throw isTransient
        ? new ProviderUnavailable(error)
        : new ProviderRejected(error.message, { cause: error })
    } finally {
      stopTimer()
      requests.inc({ operation, outcome })
    }
  })

/** Returns the client of the SDK, with the headers that continue the trace. */
function createHttpClient() {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (host, port, path, method, headers, ...rest) =>
    makeRequest(host, port, path, method, { ...headers, ...traceHeaders() }, ...rest)
  return client
}

function toIntent(intent: Stripe.PaymentIntent) {
  const { id, client_secret, metadata } = intent
  if (!client_secret) throw new ProviderRejected(`The payment intent ${id} has no client secret`)
  // The SDK leaves the list of statuses open.
  const status: IntentStatus | undefined = statuses[intent.status]
  if (!status) throw new ProviderRejected(`The payment intent ${id} has the status ${intent.status}`)
  return {
    provider,
    id,
    status,
    /** The browser needs it to confirm the payment. A secret of the customer: never log it. */
    clientData: { client_secret },
    amountCents: intent.amount,
    /** `amountCents` once succeeded, 0 before. */
    amountReceivedCents: intent.amount_received,
    /** ISO code in lower case. */
    currency: intent.currency,
    /** Null if the shop did not create the intent for an order. */
    orderId: metadata.orderId ?? null,
  }
}

function toRefund({ id, status, failure_reason }: Stripe.Refund) {
  const isFailed = status === 'failed' || status === 'canceled'
  return {
    id,
    /** `succeeded` can still become `failed`. */
    status: isFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    /** The provider's code; null unless failed. */
    failure: isFailed ? (failure_reason ?? status) : null,
  } as const
}
