import type { ErrorCode } from '../../../contract/errors.ts'

/** The cheapest order that the payment provider takes: $0.50. */
export const smallestAmountCents = 50
/** The dearest order that the payment provider takes: $999,999.99. */
export const largestAmountCents = 99_999_999

/**
 * The code that refuses a purchase, or null.
 *
 * @param product as it is now; undefined if it is not in the shop
 * @param amountCents what the buyer believes that it costs
 */
export function refusePurchase(
  product: { minimum_quantity: number; stock: number; price_cents: number } | undefined,
  quantity: number,
  amountCents: number,
): ErrorCode | null {
  if (!product) return 'PRODUCT_NOT_FOUND'
  if (quantity < product.minimum_quantity) return 'QUANTITY_NOT_MATCHED'
  if (quantity > product.stock) return 'OUT_OF_STOCK'
  if (quantity * product.price_cents < smallestAmountCents) return 'ORDER_TOO_SMALL'
  if (quantity * product.price_cents > largestAmountCents) return 'ORDER_TOO_LARGE'
  if (quantity * product.price_cents !== amountCents) return 'PRICE_CHANGED'
  return null
}
