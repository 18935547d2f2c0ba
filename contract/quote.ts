import * as z from 'zod/mini'
import { countryCodes } from './address-rules.ts'
import { CartLines, QuoteLine } from './cart.ts'
import { line } from './fields.ts'
import { ShippingOption } from './shipping.ts'

const chargeKinds = ['discount', 'shipping', 'tax'] as const
export type ChargeKind = (typeof chargeKinds)[number]

/** An amount beside the lines, in dollars. A discount is negative; an included tax is not added to the total. */
export const Charge = z.object({
  kind: z.enum(chargeKinds),
  label: z.string(),
  amount: z.number(),
  included: z.boolean(),
})
export type Charge = z.infer<typeof Charge>

/** Where an order goes: its country, and region and postal code as typed. */
export const QuoteDestination = z.object({
  country: z.enum(countryCodes, 'Select a country'),
  region: z.optional(line(80)),
  postalCode: z.optional(line(20)),
})
export type QuoteDestination = z.infer<typeof QuoteDestination>

/**
 * The choices of the buyer. `shippingRate`: the name of an option; without it, the cheapest one applies. `coupon`: a
 * discount code.
 */
export const ChargeChoice = z.object({ shippingRate: z.optional(line(60)), coupon: z.optional(line(60)) })
export type ChargeChoice = z.infer<typeof ChargeChoice>

export const QuoteRequest = z.extend(z.extend(CartLines, ChargeChoice.shape), {
  destination: z.optional(QuoteDestination),
})
export type QuoteRequest = z.infer<typeof QuoteRequest>

/**
 * The problems of a discount code. After too many unknown codes none is looked up. The pages drop the code if an order fails
 * with an error that starts with `COUPON_`.
 */
export const couponProblems = [
  'COUPON_UNKNOWN',
  'COUPON_NOT_APPLICABLE',
  'COUPON_USED_UP',
  'COUPON_ALREADY_USED',
  'COUPON_NOT_CHECKED',
] as const satisfies `COUPON_${string}`[]

/** The reason why an order cannot be placed for its destination, or with its code. `retryAfter` in seconds. */
export const QuoteProblem = z.object({
  code: z.enum(['NO_SHIPPING', 'ADDRESS_INCOMPLETE', ...couponProblems]),
  message: z.string(),
  retryAfter: z.optional(z.int()),
})
export type QuoteProblem = z.infer<typeof QuoteProblem>

/**
 * A cart with present prices, in dollars. It has all lines of the request in their order, and reserves nothing.
 * Without a destination it has no charges.
 */
export const Quote = z.object({
  lines: z.array(QuoteLine),
  charges: z.array(Charge),
  total: z.number(),
  /** Whether shipping or tax can be added once the destination is known. */
  chargesAtCheckout: z.boolean(),
  /** Whether the shop taxes orders to some places. */
  hasTax: z.boolean(),
  /** The price of delivery in words, such as `From $4.95, free from $100`. Empty if the shop has no shipping rates. */
  delivery: z.string(),
  shippingOptions: z.array(ShippingOption),
  /** The name of the option that applies. */
  shippingRate: z.optional(z.string()),
  /** Whether the shop has a discount code that is valid now. */
  hasCoupons: z.boolean(),
  /** The discount code that applies, as the shop writes it. */
  coupon: z.optional(z.string()),
  problems: z.array(QuoteProblem),
})
export type Quote = z.infer<typeof Quote>
