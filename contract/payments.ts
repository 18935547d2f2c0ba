import * as z from 'zod/mini'
import { foreignKey, id, paging } from './fields.ts'

/** `amount` in dollars. Without `orderId`, the caller's newest unpaid order with exactly this amount is used. */
export const NewPaymentIntent = z.object({ amount: z.number(), orderId: z.optional(id) })
export type NewPaymentIntent = z.infer<typeof NewPaymentIntent>

/** Passed unchanged from the payment provider to its script in the browser. */
export const PaymentClientData = z.object({ client_secret: z.string() })
export type PaymentClientData = z.infer<typeof PaymentClientData>

export const PaymentHint = z.object({ transactionId: foreignKey(200) })

/**
 * `due`: not requested yet; `pending`: at the provider; `failed`: will be retried. `closed`: settled without the
 * provider; no refund is yet.
 */
const refundStatuses = ['due', 'pending', 'succeeded', 'failed', 'closed'] as const

export const RefundQuery = z.object({
  page: paging.page,
  pageSize: paging.pageSize,
  status: z.optional(z.enum(refundStatuses)),
})
export type RefundQuery = z.infer<typeof RefundQuery>

/** `unmatched`: a payment that paid no order; `cancellation`: a paid order that was cancelled. */
export const refundKinds = ['unmatched', 'cancellation'] as const

/** A refund; `amount` in dollars, times in ISO 8601. */
export const Refund = z.object({
  id: z.string(),
  orderId: z.string(),
  /** Only in the list of all refunds. */
  customerEmail: z.optional(z.string()),
  intentId: z.string(),
  /** The provider's id of the refund. */
  refundId: z.optional(z.string()),
  amount: z.number(),
  kind: z.enum(refundKinds),
  reason: z.string(),
  status: z.enum(refundStatuses),
  /** Number of failed attempts, and the reason of the last failure. */
  failures: z.int(),
  failure: z.optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  nextAttemptAt: z.optional(z.string()),
})
export type Refund = z.infer<typeof Refund>
