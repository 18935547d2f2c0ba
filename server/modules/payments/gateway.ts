/** The provider's own words for where a payment stands. */
export const INTENT_STATUSES = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'canceled',
  'succeeded',
] as const

export type IntentStatus = (typeof INTENT_STATUSES)[number]

/** One attempt to collect one amount for one order, as the provider keeps it. */
export interface PaymentIntent {
  id: string
  /** What the browser needs to confirm the payment. A secret of the order's owner: never log it. */
  clientSecret: string
  status: IntentStatus
  amountCents: number
  /** What has been collected: `amountCents` once succeeded, 0 before. */
  amountReceivedCents: number
  /** ISO code in lower case. */
  currency: string
  /** The order that the shop created the intent for; null where it was created by other means. */
  orderId: string | null
}

export interface IntentRequest {
  /** Whole cents of a dollar. */
  amountCents: number
  orderId: string
  /** Counts the intents of this order, so that a new one after a cancelled one is not the old one replayed. */
  attempt: number
}

export interface Refund {
  id: string
  intentId: string
  amountCents: number
  /** The provider's word: `pending`, `requires_action`, `succeeded`, `failed` or `canceled`. */
  status: string
  /** Why it has failed, in the provider's word; null where it has not. */
  failureReason: string | null
}

/** A verified webhook. It says that something happened, not how things stand now: retrieve the intent. */
export interface PaymentEvent {
  /** Unique for each event, the same on every delivery of it. */
  id: string
  /** The provider's name, such as `payment_intent.succeeded`. */
  type: string
  /** The intent that the event is about; null where it is about something else. */
  intentId: string | null
}

/**
 * The card payment provider, as the shop uses it. Every call may be repeated: it happens once.
 * Every call rejects with a PaymentGatewayError, and may take a quarter of a minute before it says ProviderUnavailable.
 */
export interface PaymentGateway {
  /** Answers the same intent for the same order and attempt for 24 hours. */
  createIntent(request: IntentRequest): Promise<PaymentIntent>
  /** Rejects with IntentNotFound. */
  retrieveIntent(id: string): Promise<PaymentIntent>
  /** Answers the cancelled intent, also where it was already. Rejects with IntentStateConflict, IntentNotFound. */
  cancelIntent(id: string): Promise<PaymentIntent>
  /**
   * Gives the whole amount back, once; a repeat answers the first refund that has not failed. Rejects with
   * IntentNotFound.
   * @param attempt counts those that failed, so that a new one is not the old failure replayed
   */
  refundInFull(intentId: string, attempt: number): Promise<Refund>
  /** How a refund stands now: one that was made may still fail. */
  retrieveRefund(id: string): Promise<Refund>
  /**
   * Checks that the provider sent this webhook, and reads it.
   * @param body the request's bytes, untouched
   * @param signature its `Stripe-Signature` header
   * @throws SignatureInvalid
   */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent
}

/** All that a gateway throws; one of the classes below. */
export abstract class PaymentGatewayError extends Error {
  override get name(): string {
    return this.constructor.name
  }
}

/** The provider knows no such intent. */
export class IntentNotFound extends PaymentGatewayError {}

/** The intent has moved on and cannot do this any more: act on where it stands now. */
export class IntentStateConflict extends PaymentGatewayError {
  readonly #intent: PaymentIntent

  constructor(intent: PaymentIntent, options?: ErrorOptions) {
    super(`The payment intent ${intent.id} is ${intent.status}`, options)
    this.#intent = intent
  }

  /** How the intent stands now. Behind a getter, so that a logged error does not spell out its client secret. */
  get intent(): PaymentIntent {
    return this.#intent
  }
}

/** No answer in time, or none that can be used: nothing is known about what happened, ask again later. */
export class ProviderUnavailable extends PaymentGatewayError {}

/** The provider refuses the request itself (a wrong key, a wrong amount): a fault of configuration or of ours. */
export class ProviderRefused extends PaymentGatewayError {}

/** The webhook was not signed by the provider, or too long ago. */
export class SignatureInvalid extends PaymentGatewayError {}
