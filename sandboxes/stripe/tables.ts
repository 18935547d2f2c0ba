import type { ColumnType, Generated, JSONColumnType, Kysely, Selectable } from 'kysely'

type CreatedAt = ColumnType<Date, never, never>
type Metadata = Record<string, string>

export interface LastPaymentError {
  type: 'card_error' | 'invalid_request_error'
  code: string
  message: string
  decline_code?: string
  charge?: string
}

interface PaymentMethodTable {
  id: string
  behaviour: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  created_at: CreatedAt
}

interface PaymentIntentTable {
  id: string
  client_secret: string
  amount_cents: number
  currency: string
  status: Generated<'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'>
  metadata: JSONColumnType<Metadata>
  description: string | null
  payment_method_id: string | null
  last_payment_error: JSONColumnType<LastPaymentError | null, string | null, string | null>
  cancellation_reason: string | null
  canceled_at: Date | null
  /** When a processing payment is decided. */
  decided_at: Date | null
  created_at: CreatedAt
}

interface ChargeTable {
  id: string
  payment_intent_id: string
  payment_method_id: string
  amount_cents: number
  amount_refunded_cents: Generated<number>
  currency: string
  status: 'succeeded' | 'failed'
  failure_code: string | null
  failure_message: string | null
  created_at: CreatedAt
}

interface RefundTable {
  id: string
  charge_id: string
  payment_intent_id: string
  amount_cents: number
  currency: string
  reason: string | null
  metadata: JSONColumnType<Metadata>
  status: 'pending' | 'succeeded' | 'failed'
  failure_reason: string | null
  /** When a pending refund succeeds, or a successful one fails. */
  decided_at: Date | null
  created_at: CreatedAt
}

interface EventTable {
  id: string
  sequence: ColumnType<string, never, never>
  type: string
  object: JSONColumnType<object>
  request_id: string
  idempotency_key: string | null
  created_at: CreatedAt
}

interface WebhookDeliveryTable {
  event_id: string
  attempts: Generated<number>
  next_attempt_at: ColumnType<Date | null, never, Date | null>
  delivered_at: Date | null
  last_result: string | null
}

interface IdempotencyKeyTable {
  caller: string
  key: string
  fingerprint: string
  status: number | null
  body: JSONColumnType<object | null, string | null, string | null>
  created_at: ColumnType<Date, never, Date>
}

/** The schema `sandbox` of db/migrations/20261124000000_baseline.sql. */
export interface SandboxTables {
  payment_methods: PaymentMethodTable
  payment_intents: PaymentIntentTable
  charges: ChargeTable
  refunds: RefundTable
  events: EventTable
  webhook_deliveries: WebhookDeliveryTable
  idempotency_keys: IdempotencyKeyTable
}

/** A connection or transaction with `sandbox` as its default schema. */
export type SandboxDb = Kysely<SandboxTables>

export type PaymentMethodRow = Selectable<PaymentMethodTable>
export type PaymentIntentRow = Selectable<PaymentIntentTable>
export type ChargeRow = Selectable<ChargeTable>
export type RefundRow = Selectable<RefundTable>
export type EventRow = Selectable<EventTable>

/* All columns. Named, because a newer version may add some while this one runs. */
export const paymentMethodColumns = [
  'id',
  'behaviour',
  'brand',
  'last4',
  'exp_month',
  'exp_year',
  'created_at',
] as const satisfies (keyof PaymentMethodTable)[]

export const paymentIntentColumns = [
  'id',
  'client_secret',
  'amount_cents',
  'currency',
  'status',
  'metadata',
  'description',
  'payment_method_id',
  'last_payment_error',
  'cancellation_reason',
  'canceled_at',
  'decided_at',
  'created_at',
] as const satisfies (keyof PaymentIntentTable)[]

export const chargeColumns = [
  'id',
  'payment_intent_id',
  'payment_method_id',
  'amount_cents',
  'amount_refunded_cents',
  'currency',
  'status',
  'failure_code',
  'failure_message',
  'created_at',
] as const satisfies (keyof ChargeTable)[]

export const refundColumns = [
  'id',
  'charge_id',
  'payment_intent_id',
  'amount_cents',
  'currency',
  'reason',
  'metadata',
  'status',
  'failure_reason',
  'decided_at',
  'created_at',
] as const satisfies (keyof RefundTable)[]

export const eventColumns = [
  'events.id',
  'events.sequence',
  'events.type',
  'events.object',
  'events.request_id',
  'events.idempotency_key',
  'events.created_at',
] as const
