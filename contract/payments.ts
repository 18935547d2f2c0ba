import * as z from 'zod/mini'
import { foreignKey, id, paging, requiredLine, timestamp } from './fields.ts'
import { maxCartLines, maxQuantity } from './limits.ts'

/** `amount` in dollars. Without `orderId`, the caller's newest unpaid order with exactly this amount is used. */
export const NewPaymentIntent = z.object({ amount: z.number(), orderId: z.optional(id) })
export type NewPaymentIntent = z.infer<typeof NewPaymentIntent>

/** Passed unchanged from the payment provider to its script in the browser. */
export const PaymentClientData = z.object({ client_secret: z.string() })
export type PaymentClientData = z.infer<typeof PaymentClientData>

export const PaymentHint = z.object({ transactionId: foreignKey })

/**
 * `due`: not requested yet; `pending`: at the provider; `failed`: will be retried; `closed`: settled without the
 * provider.
 */
const refundStatuses = ['due', 'pending', 'succeeded', 'failed', 'closed'] as const

/** `from`, `to`: when the refunds were created, with the start and without the end. */
export const RefundFilters = z.object({
  status: z.optional(z.enum(refundStatuses)),
  from: z.optional(timestamp),
  to: z.optional(timestamp),
})
export type RefundFilters = z.infer<typeof RefundFilters>

export const RefundQuery = z.object({
  page: paging.page,
  pageSize: paging.pageSize,
  ...RefundFilters.shape,
})
export type RefundQuery = z.infer<typeof RefundQuery>

/**
 * Refunds of an order: `cancellation` of pieces that are not shipped, `return` of shipped ones, `goodwill` of amounts without pieces.
 */
const orderRefundKinds = ['cancellation', 'return', 'goodwill'] as const
/** `unmatched`: of a payment that paid no order. */
const refundKinds = ['unmatched', ...orderRefundKinds] as const

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
  /** Its amounts and pieces by line. Line 0 is the shipping. */
  lines: z.array(z.object({ line: z.int(), amount: z.number(), pieces: z.int() })),
})
export type Refund = z.infer<typeof Refund>

const notALine = `Enter the number of a line, from 1 to ${maxCartLines}, or 0 for the shipping`
const pieces = z
  .int('Enter whole pieces')
  .check(z.gte(0, 'At least 0'), z.lte(maxQuantity, 'At most 1,000,000'))
const notAnAmount = 'Enter dollars with at most two decimals, such as 12.50'

/** A line to refund: its amount in dollars, with its pieces if they are cancelled or returned. */
const NewRefundLine = z
  .object({
    /** 0: the shipping. */
    line: z.int(notALine).check(z.gte(0, notALine), z.lte(maxCartLines, notALine)),
    amount: z
      .number({ error: ({ input }) => (input === undefined ? 'Amount is required' : notAnAmount) })
      .check(
        z.gte(0, 'At least $0'),
        z.lte(999_999.99, 'At most $999,999.99'),
        z.multipleOf(0.01, notAnAmount),
      ),
    pieces: z._default(pieces, 0),
    /** The pieces that go back to the stock; by default all. */
    restock: z.optional(pieces),
  })
  .check(
    z.refine(({ amount, pieces }) => amount > 0 || pieces > 0, {
      error: 'Enter an amount or pieces',
      path: ['amount'],
    }),
    z.refine(({ line, pieces }) => line > 0 || pieces === 0, {
      error: 'The shipping has no pieces',
      path: ['pieces'],
    }),
    z.refine(({ pieces, restock = 0 }) => restock <= pieces, {
      error: 'Only pieces of this refund go back to the stock',
      path: ['restock'],
    }),
  )

/** A refund of a paid order. The customer reads the reason. */
export const NewRefund = z
  .object({
    kind: z._default(z.enum(orderRefundKinds), 'goodwill'),
    lines: z.array(NewRefundLine).check(
      z.minLength(1, 'Enter at least one amount'),
      z.maxLength(maxCartLines + 1, `At most ${maxCartLines + 1} lines`),
      z.refine(
        (lines) => new Set(lines.map(({ line }) => line)).size === lines.length,
        'Name each line once',
      ),
    ),
    /** The return that these items came back with. */
    returnId: z.optional(id),
    reason: requiredLine(200, 'Reason is required'),
  })
  .check(
    z.refine(({ kind, lines }) => lines.some(({ pieces }) => pieces > 0) === (kind !== 'goodwill'), {
      error: 'Choose the pieces that are cancelled or returned',
      path: ['lines'],
    }),
  )
export type NewRefund = z.infer<typeof NewRefund>

/** How a failed refund was settled without the provider. */
export const ClosedRefund = z.object({ note: requiredLine(200, 'Say how the customer got the money') })
export type ClosedRefund = z.infer<typeof ClosedRefund>

export const RefundId = z.object({ id })
