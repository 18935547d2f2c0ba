import * as z from 'zod/mini'
import { email, id, line, lineNumber, lines, paging, requiredLine } from './fields.ts'
import { LineFit } from './fit.ts'
import { maxCartLines, maxQuantity } from './limits.ts'
import { orderStatuses } from './order-status.ts'

export const returnReasons = {
  did_not_fit: 'It did not fit my bike',
  too_small: 'Too small',
  too_large: 'Too large',
  wrong_item: 'Wrong item',
  damaged: 'Damaged',
  not_as_described: 'Not as described',
  changed_mind: 'I changed my mind',
} as const
const reasonNames = Object.keys(returnReasons) as (keyof typeof returnReasons)[]

const returnStatuses = ['requested', 'approved', 'rejected', 'closed'] as const

/** Items that come back, by line of the order. */
const ReturnLine = z.object({
  line: z.int(),
  name: z.string(),
  pieces: z.int(),
  /** A withdrawal has no reason. */
  reason: z.optional(z.enum(reasonNames)),
  /** Those that are refunded. */
  refundedPieces: z.int(),
  /** The answer of the shop when it was ordered. */
  fit: z.optional(LineFit),
})

/** A return, or a withdrawal from the contract. Times in ISO 8601. */
export const Return = z.object({
  id: z.string(),
  /** Written on the parcel, such as `R-7c3a9f`. */
  number: z.string(),
  /** Missing until a withdrawal is assigned to an order. */
  orderId: z.optional(z.string()),
  /** As typed for a withdrawal. */
  orderNumber: z.string(),
  email: z.string(),
  name: z.string(),
  withdrawal: z.boolean(),
  status: z.enum(returnStatuses),
  note: z.string(),
  reply: z.string(),
  requestedAt: z.string(),
  /** When a withdrawal must be refunded. Missing if its order is not paid. */
  refundBy: z.optional(z.string()),
  /** Empty: the whole order. */
  lines: z.array(ReturnLine),
  /** The orders with the number and the email of a withdrawal that is not assigned. Only for admins. */
  candidates: z.optional(
    z.array(z.object({ id: z.string(), status: z.enum(orderStatuses), placedAt: z.optional(z.string()) })),
  ),
})
export type Return = z.infer<typeof Return>

const pieces = z
  .int('Enter whole pieces')
  .check(z.gte(1, 'At least 1'), z.lte(maxQuantity, 'At most 1,000,000'))
const tooManyLines = `At most ${maxCartLines} lines`
const withoutRepeats = z.refine<{ line: number }[]>(
  (lines) => new Set(lines.map(({ line }) => line)).size === lines.length,
  'Name each line once',
)

export const NewReturn = z.object({
  lines: z
    .array(z.object({ line: lineNumber, pieces, reason: z.enum(reasonNames, 'Choose a reason') }))
    .check(
      z.minLength(1, 'Choose at least one item'),
      z.maxLength(maxCartLines, tooManyLines),
      withoutRepeats,
    ),
  note: z.optional(lines(500)),
})
export type NewReturn = z.infer<typeof NewReturn>

export const ReturnId = z.object({ id })

export const ReturnQuery = z.object({
  page: paging.page,
  pageSize: paging.pageSize,
  status: z.optional(z.enum(returnStatuses)),
})
export type ReturnQuery = z.infer<typeof ReturnQuery>

/** A decision on a return; `orderId` assigns a withdrawal to an order. The customer reads the reply to an approval or a rejection. */
export const ReturnDecision = z
  .object({
    status: z.optional(z.enum(['approved', 'rejected', 'closed'])),
    reply: z.optional(lines(500)),
    orderId: z.optional(id),
  })
  .check(
    z.refine(({ status, reply }) => status !== 'rejected' || Boolean(reply), {
      error: 'Tell the customer why',
      path: ['reply'],
    }),
    z.refine(({ status, reply }) => status === 'approved' || status === 'rejected' || !reply, {
      error: 'Send a reply only with an approval or a rejection',
      path: ['reply'],
    }),
  )
export type ReturnDecision = z.infer<typeof ReturnDecision>

/**
 * A withdrawal from the contract. `orderId` is only for the owner of the order, or with its key: the shop then carries it
 * out by itself.
 */
export const NewWithdrawal = z
  .object({
    orderId: z.optional(id),
    orderNumber: requiredLine(40, 'Order number is required'),
    email,
    name: requiredLine(120, 'Name is required'),
    /** The items, in words. */
    note: z.optional(line(500)),
    /** Only with `orderId`. Without it: the whole order. */
    lines: z.optional(
      z
        .array(z.object({ line: lineNumber, pieces }))
        .check(
          z.minLength(1, 'Choose at least one item'),
          z.maxLength(maxCartLines, tooManyLines),
          withoutRepeats,
        ),
    ),
  })
  .check(
    z.refine(({ orderId, lines }) => orderId !== undefined || lines === undefined, {
      error: 'Send the orderId of these lines',
      path: ['lines'],
    }),
  )
export type NewWithdrawal = z.infer<typeof NewWithdrawal>

/** The acknowledgement of a withdrawal; `receivedAt` in ISO 8601. */
export const WithdrawalReceipt = z.object({ receivedAt: z.string(), statement: z.string() })
export type WithdrawalReceipt = z.infer<typeof WithdrawalReceipt>
