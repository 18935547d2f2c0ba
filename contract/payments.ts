import * as z from 'zod/mini'
import { foreignKey, id, paging } from './fields.ts'

/** `amount` in dollars. Without `orderId` the caller's newest unpaid order of exactly that amount is meant. */
export const NewPaymentIntent = z.object({ amount: z.number(), orderId: z.optional(id) })
export type NewPaymentIntent = z.infer<typeof NewPaymentIntent>

export const PaymentIntentSecret = z.object({ client_secret: z.string() })

export const PaymentHint = z.object({ transactionId: foreignKey(200) })

/**
 * Where a refund stands: `due` and not made yet, `pending` at the provider, `succeeded`, or `failed` and to be tried
 * again.
 */
export const refundStatuses = ['due', 'pending', 'succeeded', 'failed'] as const

export const RefundQuery = z.object({
  page: paging.page,
  pageSize: paging.pageSize,
  status: z.optional(z.enum(refundStatuses)),
})
export type RefundQuery = z.infer<typeof RefundQuery>

/** Money that settled no order and goes back in full; `amount` in dollars, times in ISO 8601. */
export const Refund = z.object({
  orderId: z.string(),
  /** Whose order it was; only in the list of all refunds. */
  customerEmail: z.optional(z.string()),
  intentId: z.string(),
  refundId: z.optional(z.string()),
  amount: z.number(),
  reason: z.string(),
  status: z.enum(refundStatuses),
  /** How often it has failed so far, and why the last time. */
  failures: z.int(),
  failure: z.optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When the provider is asked again. */
  nextTryAt: z.optional(z.string()),
})
export type Refund = z.infer<typeof Refund>
