import { toDollars, toWholeCents } from '../../../contract/money.ts'
import type { Purchase } from '../../../contract/orders.ts'
import type { Actor } from '../../platform/actor.ts'
import { ShopError } from '../../platform/errors.ts'
import * as catalog from '../catalog/service.ts'
import { canHaveCharges, noCharges } from '../pricing/service.ts'
import { hashRequest, type PlaceDeps, place } from './place.ts'
import { chooseVariant, refusePurchase, toAmount } from './rules.ts'

/**
 * Places an order of one line, for a product. Returns its id; the same idempotency key returns the same order.
 *
 * @param purchase `amount` in dollars, as shown to the buyer
 * @throws PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, QUANTITY_NOT_MATCHED, OUT_OF_STOCK, ORDER_TOO_SMALL, ORDER_TOO_LARGE,
 * PRICE_CHANGED (with the present `amount`), CHECKOUT_REQUIRED if shipping or tax can apply, TOO_MANY_OPEN_ORDERS, GUEST_ORDER_TOO_LARGE, IDEMPOTENCY_KEY_REUSED
 */
export async function placePurchase(
  deps: PlaceDeps,
  buyer: Actor,
  purchase: Purchase,
  idempotencyKey: string | null,
): Promise<string> {
  const { productId, variantId, quantity, bikeId } = purchase
  const agreedCents = toWholeCents(purchase.amount)
  // If it is not a whole number of cents, the total of the line differs from the amount, and no order is placed.
  const unitPriceCents = Math.trunc(agreedCents / quantity)
  const placed = await place(deps, {
    order: {
      buyer,
      email: null,
      name: purchase.customerName ?? '',
      phone: purchase.customerPhone ?? '',
      address: purchase.customerAddress,
      shipping: null,
      note: '',
      lines: [
        {
          productId,
          variantId: variantId ?? null,
          quantity,
          unitPriceCents,
          size: null,
          colour: null,
          bikeId: bikeId ?? null,
        },
      ],
      idempotencyKey,
      requestHash: hashRequest(productId, variantId, quantity, ...(bikeId === undefined ? [] : [bikeId])),
      // The specified body has no size and colour.
      needsChoice: false,
      emptiesCart: false,
      // The address is one text without a country, so the order is placed only while it cannot have charges.
      condition: noCharges,
    },
    agreedCents,
    findTerms: () => Promise.resolve({ terms: {}, isPickup: false, coupon: null }),
    refuse: (isLast) => refuse(deps, purchase, agreedCents, isLast),
  })
  return placed.id
}

/** @throws the reason why the purchase cannot be placed, if there is one now */
async function refuse(
  { db }: PlaceDeps,
  { productId, variantId, quantity }: Purchase,
  agreedCents: number,
  isLast: boolean,
): Promise<void> {
  if (await canHaveCharges(db)) throw new ShopError('CHECKOUT_REQUIRED', { details: { acknowledged: false } })
  const product = await catalog.findSoldProduct(db, productId)
  const variant = chooseVariant(await catalog.listVariants(db, productId), variantId, quantity)
  const code = refusePurchase(product, variant, quantity, agreedCents) ?? (isLast ? 'OUT_OF_STOCK' : null)
  if (!code) return
  const details = { acknowledged: false }
  if (code !== 'PRICE_CHANGED' || !product || !variant) throw new ShopError(code, { details })
  const amount = toDollars(toAmount(product, variant, quantity))
  throw new ShopError(code, { details: { ...details, amount } })
}
