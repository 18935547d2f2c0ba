import { toDollars } from '../../../contract/money.ts'
import type { Charge, ChargeKind } from '../../../contract/quote.ts'
import { roundShare } from '../../../contract/round-share.ts'

/** A line to price. `unitPriceCents`: the price of one piece, as offered now or as agreed. */
interface PricingLine {
  quantity: number
  unitPriceCents: number
}

/** Shipping by the chosen rate. `cheapestCents`: the cheapest option that is not a pickup, which a code makes free. */
interface ShippingTerms {
  label: string
  cents: number
  cheapestCents: number
}

/** A discount code. Rates in parts per million, amounts in cents. `isEligible`: for each line, in their order. */
export type DiscountTerms = { label: string; isEligible: boolean[] } & (
  | { kind: 'percent'; ppm: number }
  | { kind: 'amount'; cents: number }
  | { kind: 'shipping' }
)

/** The tax of the destination. An included tax is part of the prices; another one is added to them. */
interface TaxTerms {
  label: string
  ppm: number
  isIncluded: boolean
  taxesShipping: boolean
}

/** The discount, shipping and tax of an order. By default it has none. */
export interface Terms {
  discount?: DiscountTerms | null
  /** The shipping for the goods after the discount, in cents. */
  ship?: ((goodsCents: number) => ShippingTerms | null) | null
  tax?: TaxTerms | null
}

/** An amount beside the lines. A discount is negative. An included tax is shown, and not part of the sum. */
export interface PricedCharge {
  kind: ChargeKind
  label: string
  amountCents: number
  isIncluded: boolean
}

/** The share of a line in the amount of the order. `taxCents` is the tax in `totalCents`. */
interface Share {
  totalCents: number
  taxCents: number
}

/**
 * An order with its prices in cents. `totalCents` is the sum of goods and charges, and of the totals of lines and
 * shipping. `goodsCents` of a line: quantity times price.
 */
interface PricedOrder<Line extends PricingLine> {
  lines: (Line & { goodsCents: number } & Share)[]
  charges: PricedCharge[]
  totalCents: number
}

const million = 1_000_000

/**
 * Prices an order. Quotes, the checkout and the purchase of one product all get their amounts here; the statement that
 * places the order compares them with the locked prices. Discount and tax are rounded once for the order, and shared
 * among lines and shipping.
 */
export function priceOrder<Line extends PricingLine>({
  lines,
  terms: { discount = null, ship = null, tax = null } = {},
}: {
  lines: Line[]
  terms?: Terms
}): PricedOrder<Line> {
  const goods = lines.map(toGoods)
  const reductions = discount
    ? shareCents(
        reduceGoods(discount, goods),
        goods.map((cents, index) => (discount.isEligible[index] ? cents : 0)),
      )
    : goods.map(() => 0)
  const reduced = goods.map((cents, index) => cents - (reductions[index] ?? 0))
  const shipping = ship?.(sum(reduced)) ?? null
  const shippingReduction =
    discount?.kind === 'shipping' && shipping ? Math.min(shipping.cheapestCents, shipping.cents) : 0
  const parts = [...reduced, (shipping?.cents ?? 0) - shippingReduction]

  const base = parts.map((cents, index) => (index < lines.length || tax?.taxesShipping ? cents : 0))
  const taxCents = tax ? roundTax(tax, sum(base)) : 0
  const taxes = shareCents(taxCents, base)
  const shares = parts.map((cents, index): Share => {
    const taxCents = taxes[index] ?? 0
    return { totalCents: cents + (tax?.isIncluded ? 0 : taxCents), taxCents }
  })

  const charges: PricedCharge[] = []
  const discountCents = sum(reductions) + shippingReduction
  if (discount && discountCents > 0)
    charges.push({
      kind: 'discount',
      label: discount.label,
      amountCents: -discountCents,
      isIncluded: false,
    })
  if (shipping)
    charges.push({
      kind: 'shipping',
      label: shipping.label,
      amountCents: shipping.cents,
      isIncluded: false,
    })
  if (tax) charges.push({ kind: 'tax', label: tax.label, amountCents: taxCents, isIncluded: tax.isIncluded })
  return {
    lines: lines.map((line, index) => ({
      ...line,
      goodsCents: goods[index] ?? 0,
      ...(shares[index] as Share),
    })),
    charges,
    totalCents: sum(shares.map((share) => share.totalCents)),
  }
}

/** Returns the price of a line in cents, without charges. */
export const toGoods = ({ quantity, unitPriceCents }: PricingLine): number => quantity * unitPriceCents

/** Returns the discount on the goods in cents. */
function reduceGoods(discount: DiscountTerms, goods: number[]): number {
  const eligible = sum(goods.filter((_, index) => discount.isEligible[index]))
  if (discount.kind === 'percent') return roundShare(eligible, discount.ppm, million)
  return discount.kind === 'amount' ? Math.min(discount.cents, eligible) : 0
}

const roundTax = ({ ppm, isIncluded }: TaxTerms, baseCents: number): number =>
  roundShare(baseCents, ppm, isIncluded ? million + ppm : million)

/**
 * Shares cents by weights, by the largest remainder: each share is rounded down, and the cents that are left go to the
 * largest remainders, to the earlier one if two are equal. Without any weight all shares are 0.
 */
function shareCents(cents: number, weights: number[]): number[] {
  // A price that is not a whole number of cents has no shares, and no order is placed with it.
  if (cents === 0) return weights.map(() => 0)
  const whole = BigInt(sum(weights))
  if (whole === 0n) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight))
  const shares = exact.map((each) => Number(each / whole))
  const largestFirst = exact
    .map((each, index) => ({ index, remainder: each % whole }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    )
  for (const { index } of largestFirst.slice(0, cents - sum(shares))) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

const sum = (cents: number[]): number => cents.reduce((total, each) => total + each, 0)

/** Returns a charge in dollars. */
export const presentCharge = ({ kind, label, amountCents, isIncluded }: PricedCharge): Charge => ({
  kind,
  label,
  amount: toDollars(amountCents),
  included: isIncluded,
})
