import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { PaymentClientData } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'

export interface PaymentDeps {
  db: Kysely<Database>
  gateway: PaymentGateway
  log: FastifyBaseLogger
}

/** An id that a provider has assigned is unique only together with the provider's name. */
export interface ProviderKey {
  provider: string
  id: string
}

/** `open`: can be paid; `processing`: being paid; `succeeded` and `cancelled` are final. */
export type IntentStatus = 'open' | 'processing' | 'succeeded' | 'cancelled'

/** One attempt to collect one amount for one order, as stored by the provider. */
export interface PaymentIntent extends ProviderKey {
  status: IntentStatus
  /** The browser needs it to confirm the payment. A secret of the customer: never log it. */
  clientData: PaymentClientData
  amountCents: number
  /** `amountCents` once succeeded, 0 before. */
  amountReceivedCents: number
  /** ISO code in lower case. */
  currency: string
  /** Null if the shop did not create the intent for an order. */
  orderId: string | null
}

export interface IntentRequest {
  amountCents: number
  orderId: string
  /** Counts the intents of the order. Otherwise the provider repeats a cancelled one for 24 hours. */
  attempt: number
}

export interface RefundRequest {
  intentId: string
  amountCents: number
  /** The provider refunds once per key, however much later it is asked again. */
  key: string
  /** Counts the attempts with this key, so that a failed one is not repeated as it was. */
  attempt: number
}

export interface ProviderRefund {
  id: string
  /** `succeeded` can still become `failed`. */
  status: 'pending' | 'succeeded' | 'failed'
  /** The provider's code; null unless failed. */
  failure: string | null
}

/** A verified webhook. It says that something happened, not how things are now: find the intent. */
export interface PaymentEvent {
  /** The same on every delivery of the event. */
  id: string
  /** The provider's name, such as `payment_intent.succeeded`. */
  type: string
  /** Null if the event is not about an intent. */
  intentId: string | null
}

/**
 * A card payment provider. Every call may be repeated and takes effect once. A call can take 15 seconds: never hold a
 * lock. Throws ProviderUnavailable or ProviderRejected.
 */
export interface PaymentGateway {
  /** The value of the columns `provider`. */
  provider: string
  /** Returns the same intent for the same order and attempt. */
  createIntent(request: IntentRequest): Promise<PaymentIntent>
  /** Returns null if the provider has no such intent; the id may be any text. */
  findIntent(id: string): Promise<PaymentIntent | null>
  /** Returns the intent as it is afterwards: `cancelled`, or what it became before. Null if there is none. */
  cancelIntent(id: string): Promise<PaymentIntent | null>
  refund(request: RefundRequest): Promise<ProviderRefund>
  retrieveRefund(id: string): Promise<ProviderRefund>
  /**
   * Verifies that the provider sent this webhook.
   * @param body the bytes of the request, unchanged
   * @throws INVALID_SIGNATURE
   */
  readEvent(headers: IncomingHttpHeaders, body: Buffer): PaymentEvent
}

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
