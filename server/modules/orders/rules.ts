import type { ErrorCode } from '../../../contract/errors.ts'
import { priceOrder, toGoods } from '../pricing/rules.ts'

export type { PricedCharge } from '../pricing/rules.ts'

/** The cheapest order that the payment provider takes: $0.50. */
const smallestAmountCents = 50
/** The dearest order that the payment provider takes: $999,999.99. */
const largestAmountCents = 99_999_999
/** A code can take off almost all of the goods, and the columns of charges are integers. */
const largestGoodsCents = 2_147_483_647

/** When unpaid orders expire, the limits of unpaid orders, and where orders go. */
export interface OrderTerms {
  unpaidOrderHours: number
  unpaidGuestOrderMinutes: number
  unpaidOrdersPerCustomer: number
  guestOrdersPerEmail: number
  /** Accounts without a verified email count too. */
  guestOrdersPerNetwork: number
  /** Pieces in one order of a guest or of an account without a verified email. */
  guestOrderPieces: number
  /** After shipping: the email waits for this time, in which the shipment can be undone without one. */
  shippingUndoSeconds: number
  /** The countries that the shop serves; null: all. */
  countries: readonly string[] | null
}

/** The time in which an order must be paid. */
export const toUnpaidSeconds = (
  { customer_id }: { customer_id: string | null },
  { unpaidOrderHours, unpaidGuestOrderMinutes }: OrderTerms,
): number => (customer_id === null ? unpaidGuestOrderMinutes * 60 : unpaidOrderHours * 3600)

/**
 * Returns the code that refuses an order of this amount, or null.
 *
 * @param lines of an order with charges, whose goods may cost more than the order
 */
export function refuseAmount(
  cents: number,
  lines: { quantity: number; unitPriceCents: number }[] = [],
): ErrorCode | null {
  if (cents < smallestAmountCents) return 'ORDER_TOO_SMALL'
  const goodsCents = lines.reduce((sum, line) => sum + toGoods(line), 0)
  return cents > largestAmountCents || goodsCents > largestGoodsCents ? 'ORDER_TOO_LARGE' : null
}

/** A product as it is now. */
interface Offer {
  minimum_quantity: number
  price_cents: number
}

/** A variant as it is now. Without a price it has its product's. */
interface OfferedVariant {
  id: string
  stock: number
  price_cents: number | null
}

/** Returns the variant with this id; without an id the first that has enough stock, or else the first. */
export const chooseVariant = <Variant extends OfferedVariant>(
  variants: Variant[],
  id: string | undefined,
  quantity: number,
): Variant | undefined =>
  id === undefined
    ? (variants.find(({ stock }) => stock >= quantity) ?? variants[0])
    : variants.find((variant) => variant.id === id)

/** The present price of an order of `quantity` pieces, in cents. */
export const toAmount = (product: Offer, variant: OfferedVariant, quantity: number): number =>
  priceOrder({ lines: [{ quantity, unitPriceCents: variant.price_cents ?? product.price_cents }] }).totalCents

/**
 * The code that refuses a purchase, or null.
 *
 * @param product undefined if it is not in the shop
 * @param variant undefined if the product has no such variant
 * @param amountCents what the buyer believes that it costs
 */
export function refusePurchase(
  product: Offer | undefined,
  variant: OfferedVariant | undefined,
  quantity: number,
  amountCents: number,
): ErrorCode | null {
  if (!product) return 'PRODUCT_NOT_FOUND'
  if (!variant) return 'VARIANT_NOT_FOUND'
  if (quantity < product.minimum_quantity) return 'QUANTITY_NOT_MATCHED'
  if (quantity > variant.stock) return 'OUT_OF_STOCK'
  const amount = toAmount(product, variant, quantity)
  return refuseAmount(amount) ?? (amount === amountCents ? null : 'PRICE_CHANGED')
}
