import type { Kysely } from 'kysely'
import type { ChargePreview, ChargePreviewRequest } from '../../../contract/charge-preview.ts'
import { toCents, toDollars, toPercent } from '../../../contract/money.ts'
import { isIncomplete, toPickupDestination } from '../../../contract/places.ts'
import type { ChargeChoice, Quote, QuoteDestination, QuoteProblem } from '../../../contract/quote.ts'
import type { Database } from '../../../db/schema.ts'
import { type DiscountLine, readRates, type TypedCoupon, toDiscount, toProblem } from './coupons.ts'
import { toDestination } from './destination.ts'
import * as queries from './queries.ts'
import { chooseOption, describeDelivery, findCheapest, findTaxRate, listOptions, toPrice } from './rates.ts'
import { type DiscountTerms, presentCharge, priceOrder, type Terms } from './rules.ts'

export {
  type CouponLimiter,
  couponLimits,
  listCoupons,
  refuseUsedCoupon,
  saveCoupon,
  type TypedCoupon,
} from './coupons.ts'
export { canHaveCharges, noCharges } from './queries.ts'
export * from './rules.ts'
export * from './shipping-rates.ts'
export * from './tax-rates.ts'

/** Where an order goes, and what the buyer has chosen. */
export interface ChargeRequest extends Pick<ChargeChoice, 'shippingRate'> {
  /** Undefined: not known yet. */
  destination?: QuoteDestination | undefined
  coupon?: TypedCoupon | undefined
}

/** A line to price. */
export interface ChargedLine {
  variantId: string
  quantity: number
  unitPriceCents: number
}

/** `grams`: the weight of one piece; null if it is unknown. */
interface DetailedLine extends DiscountLine {
  grams: number | null
}

/** The terms of an order. `quoted`: what a quote says about them. */
export interface ChargeTerms {
  terms: Terms
  isPickup: boolean
  /** The coupon that the order uses. */
  coupon: { id: string; isOncePerBuyer: boolean } | null
  quoted: Pick<
    Quote,
    | 'chargesAtCheckout'
    | 'hasTax'
    | 'delivery'
    | 'shippingOptions'
    | 'shippingRate'
    | 'hasCoupons'
    | 'coupon'
    | 'problems'
  >
}

/** Returns what delivery costs, for product pages. */
export const findDelivery = async (db: Kysely<Database>): Promise<string> =>
  describeDelivery(await queries.listShippingRates(db))

interface AppliedCode {
  discount?: DiscountTerms | undefined
  problem?: QuoteProblem | undefined
}

/** Finds the terms of an order. An order with problems cannot be placed. */
export async function findTerms(
  db: Kysely<Database>,
  lines: ChargedLine[],
  request: ChargeRequest,
): Promise<ChargeTerms> {
  const ids = request.destination ? lines.map(({ variantId }) => variantId) : []
  const read = await readRates(db, ids, request.destination && request.coupon)
  const byId = new Map(read.rates.variants.map((variant) => [variant.id, variant]))
  const detailed = lines.map(({ variantId, quantity, unitPriceCents }): DetailedLine => {
    const { weight_grams: grams = null, brand = null, kind: productKind = null } = byId.get(variantId) ?? {}
    return { quantity, unitPriceCents, grams, brand, productKind }
  })
  return toTerms(detailed, request, read)
}

const onlyPickup = "We can't ship this order to this address. To collect it, select a pickup."

/** @param read the result of `readRates` */
function toTerms(
  lines: DetailedLine[],
  request: ChargeRequest,
  { rates, found }: Awaited<ReturnType<typeof readRates>>,
): ChargeTerms {
  const { shipping, tax, has_coupons: hasCoupons } = rates
  const hasTax = tax.length > 0
  const chargesAtCheckout = shipping.length > 0 || hasTax
  const delivery = describeDelivery(shipping)
  const withoutCharges = (...problems: QuoteProblem[]): ChargeTerms => ({
    terms: {},
    isPickup: false,
    coupon: null,
    quoted: { chargesAtCheckout, hasTax, delivery, hasCoupons, shippingOptions: [], problems },
  })
  if ((!chargesAtCheckout && !request.coupon) || !request.destination) return withoutCharges()

  const applied: AppliedCode = found?.coupon ? toDiscount(found.coupon, lines) : { problem: found?.problem }
  const destination = toDestination(request.destination)
  const places = [...shipping.flatMap((rate) => rate.places), ...tax.map(({ place }) => place)]
  if (isIncomplete(places, destination)) return withoutCharges(toProblem('ADDRESS_INCOMPLETE'))

  const grams = lines.reduce((sum, line) => sum + line.quantity * (line.grams ?? 0), 0)
  const options = listOptions(shipping, { destination, grams })
  const goodsCents = priceOrder({ lines, terms: { discount: applied.discount } }).totalCents
  const chosen = chooseOption(shipping, options, request.shippingRate, goodsCents)
  const shippingOptions = options.map((option) => ({
    name: option.name,
    note: option.note,
    price: toDollars(toPrice(option, goodsCents)),
    pickup: option.pickup_place !== null,
  }))
  if (shipping.length > 0 && !chosen) {
    const stopped = withoutCharges(toProblem('NO_SHIPPING', options.length > 0 ? onlyPickup : undefined))
    return { ...stopped, quoted: { ...stopped.quoted, shippingOptions } }
  }
  const pickupPlace = chosen?.pickup_place ?? null
  const terms: Terms = {
    discount: applied.discount,
    ship:
      chosen &&
      ((cents) => ({
        label: pickupPlace === null ? `Shipping (${chosen.name})` : chosen.name,
        cents: toPrice(chosen, cents),
        cheapestCents: toPrice(findCheapest(options, cents) ?? chosen, cents),
      })),
    tax: toTax(
      findTaxRate(tax, pickupPlace === null ? destination : toDestination(toPickupDestination(pickupPlace))),
    ),
  }
  const hasEffect = priceOrder({ lines, terms }).charges.some(({ kind }) => kind === 'discount')
  const problem =
    applied.discount && !hasEffect
      ? toProblem('COUPON_NOT_APPLICABLE', 'This code takes nothing off this order.')
      : applied.problem
  const coupon = problem ? undefined : found?.coupon
  return {
    // With a problem of the code, the quote has the charges without it.
    terms,
    isPickup: pickupPlace !== null,
    coupon: coupon ? { id: coupon.id, isOncePerBuyer: coupon.once_per_buyer } : null,
    quoted: {
      chargesAtCheckout,
      hasTax,
      delivery,
      hasCoupons,
      problems: problem ? [problem] : [],
      coupon: coupon?.code,
      shippingRate: chosen?.name,
      shippingOptions,
    },
  }
}

/** Prices an invented order by the present rates. */
export async function previewCharges(
  db: Kysely<Database>,
  { goods, weight, place }: ChargePreviewRequest,
): Promise<ChargePreview> {
  const goodsLine = { quantity: 1, unitPriceCents: toCents(goods), grams: weight ?? null }
  const lines = [{ ...goodsLine, brand: null, productKind: null }]
  const request = { destination: toPickupDestination(place) }
  const { terms, quoted } = toTerms(lines, request, await readRates(db, [], undefined))
  const priced = priceOrder({ lines, terms })
  return { ...quoted, charges: priced.charges.map(presentCharge), total: toDollars(priced.totalCents) }
}

const toTax = (rate: queries.TaxRateRow | undefined): Terms['tax'] =>
  rate && {
    label: `${rate.label} ${toPercent(rate.rate_ppm)}%`,
    ppm: rate.rate_ppm,
    isIncluded: rate.is_included,
    taxesShipping: rate.taxes_shipping,
  }
