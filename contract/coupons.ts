import * as z from 'zod/mini'
import {
  editedRevision,
  line,
  newRowId,
  paging,
  price,
  rate,
  requiredLine,
  timestamp,
  wholeNumber,
} from './fields.ts'
import { toNumberKey } from './part-numbers.ts'

const couponKinds = ['percent', 'amount', 'shipping'] as const
export type CouponKind = (typeof couponKinds)[number]

/** A guess finds no random code of this length, see decision 63. */
const minLength = 6

/**
 * A discount code: a percentage or an amount of the eligible goods, or the price of the cheapest shipping option.
 * Amounts in dollars, times in ISO 8601.
 */
export const EditedCoupon = z
  .object({
    /** Case, spaces and dashes do not matter. */
    code: requiredLine(40, 'Code is required').check(
      z.regex(/^[A-Za-z0-9 -]*$/, 'Use letters, digits, spaces and dashes'),
      z.refine(
        (code) => toNumberKey(code).length >= minLength,
        `Use at least ${minLength} letters and digits`,
      ),
    ),
    kind: z.enum(couponKinds, 'Select a kind'),
    /** Per cent. Only of a percentage. */
    rate: z.optional(rate('Rate is required')),
    /** Only of an amount. */
    amount: z.optional(price('Amount is required')),
    /** The lowest price of all goods, before the discount. */
    minGoods: z.optional(price('Amount is required')),
    /** With a kind or a brand of products, only these are discounted. */
    productKind: z.optional(line(80)),
    brand: z.optional(line(80)),
    startsAt: z.optional(timestamp),
    /** Exclusive. */
    endsAt: z.optional(timestamp),
    maxUses: z.optional(
      wholeNumber('Number is required').check(z.gte(1, 'At least 1'), z.lte(1_000_000, 'At most 1,000,000')),
    ),
    oncePerBuyer: z.boolean(),
    revision: editedRevision,
  })
  .check(
    z.refine(({ kind, rate }) => kind !== 'percent' || rate !== undefined, {
      path: ['rate'],
      message: 'Rate is required',
    }),
    z.refine(({ kind, amount }) => kind !== 'amount' || amount !== undefined, {
      path: ['amount'],
      message: 'Amount is required',
    }),
    z.refine(({ startsAt, endsAt }) => !startsAt || !endsAt || Date.parse(startsAt) < Date.parse(endsAt), {
      path: ['endsAt'],
      message: 'The code must end after it starts',
    }),
  )
export type EditedCoupon = z.infer<typeof EditedCoupon>

export const CouponQuery = z.object(paging)

/** The browser names a new code, so that a repeated request adds one. */
export const EditedCouponId = z.object({ id: newRowId })

/**
 * `used`: its orders that are not cancelled. `revision` changes with each saved change, but not with the uses.
 * Stored times pass, even if an earlier version accepted a time that is refused now.
 */
export const Coupon = z.safeExtend(EditedCoupon, {
  id: z.string(),
  startsAt: z.optional(z.string()),
  endsAt: z.optional(z.string()),
  used: z.int(),
  revision: z.string(),
})
export type Coupon = z.infer<typeof Coupon>
