import * as z from 'zod/mini'
import { maxCartLines } from './cart.ts'
import { foreignKey, id, paging, price, requiredLine } from './fields.ts'

/** `amount` in dollars. Without `orderId`, the caller's newest unpaid order with exactly this amount is used. */
export const NewPaymentIntent = z.object({ amount: z.number(), orderId: z.optional(id) })
export type NewPaymentIntent = z.infer<typeof NewPaymentIntent>

/** Passed unchanged from the payment provider to its script in the browser. */
export const PaymentClientData = z.object({ client_secret: z.string() })
export type PaymentClientData = z.infer<typeof PaymentClientData>

export const PaymentHint = z.object({ transactionId: foreignKey(200) })

/**
 * `due`: not requested yet; `pending`: at the provider; `failed`: will be retried; `closed`: settled without the
 * provider.
 */
const refundStatuses = ['due', 'pending', 'succeeded', 'failed', 'closed'] as const

export const RefundQuery = z.object({
  page: paging.page,
  pageSize: paging.pageSize,
  status: z.optional(z.enum(refundStatuses)),
})
export type RefundQuery = z.infer<typeof RefundQuery>

/**
 * `unmatched`: of a payment that paid no order; `cancellation`: of a paid order that was cancelled; `goodwill`: of an amount,
 * by an admin.
 */
const refundKinds = ['unmatched', 'cancellation', 'goodwill'] as const

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
  /** How it was closed. */
  note: z.optional(z.string()),
  /** Its amounts by line. Line 0 is the shipping. */
  lines: z.array(z.object({ line: z.int(), amount: z.number() })),
})
export type Refund = z.infer<typeof Refund>

/** A refund of amounts in dollars. Line 0 is the shipping. The customer reads the reason. */
export const NewRefund = z.object({
  lines: z
    .array(
      z.object({
        line: z.int().check(z.gte(0), z.lte(maxCartLines)),
        amount: price('Amount is required'),
      }),
    )
    .check(
      z.minLength(1, 'Enter at least one amount'),
      z.maxLength(maxCartLines + 1),
      z.refine(
        (lines) => new Set(lines.map(({ line }) => line)).size === lines.length,
        'Name each line once',
      ),
    ),
  reason: requiredLine(200, 'Reason is required'),
})
export type NewRefund = z.infer<typeof NewRefund>

/** How a failed refund was settled without the provider. */
export const ClosedRefund = z.object({ note: requiredLine(200, 'Say how the customer got the money') })
export type ClosedRefund = z.infer<typeof ClosedRefund>

export const RefundId = z.object({ id })
