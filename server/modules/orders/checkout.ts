import type { Kysely } from 'kysely'
import { findAddressProblems, formatAddress } from '../../../contract/address-rules.ts'
import type { Checkout as CheckoutBody } from '../../../contract/checkout.ts'
import { toStandardChoice } from '../../../contract/choice.ts'
import { maxCartLines } from '../../../contract/limits.ts'
import { toCents, toWholeCents } from '../../../contract/money.ts'
import type { QuoteProblem } from '../../../contract/quote.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor, Caller, Guest } from '../../platform/actor.ts'
import { retryTransient } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import * as cart from '../cart/service.ts'
import { hasVerifiedIdentity } from '../customers/service.ts'
import { type ChargeRequest, findTerms, refuseUsedCoupon, type TypedCoupon } from '../pricing/service.ts'
import { hashRequest, type PlaceDeps, place, type StoredOrder } from './place.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { refuseAmount } from './rules.ts'

type Checkout = Omit<CheckoutBody, 'coupon'> & { coupon?: TypedCoupon | undefined }

/**
 * Places an order of a cart. The same idempotency key returns the same order.
 *
 * @param placedBy the admin who places it for the buyer; by default the buyer places it
 * @throws CART_EMPTY, CART_TOO_LARGE, CART_CHANGED (with the present `quote`), the problems of a quote,
 * COUPON_ALREADY_USED, ORDER_TOO_SMALL, ORDER_TOO_LARGE, GUEST_ORDER_TOO_LARGE, TOO_MANY_OPEN_ORDERS,
 * IDEMPOTENCY_KEY_REUSED, INVALID_REQUEST if a guest has no email, or if no
 * order can be sent to the address
 */
export async function checkOut(
  deps: PlaceDeps,
  buyer: Actor | Guest,
  checkout: Checkout,
  idempotencyKey: string,
  placedBy?: repository.PlacedBy,
): Promise<StoredOrder> {
  const { db } = deps
  const { lines, total, address, email, note = '', shippingRate, coupon } = checkout
  if (lines.length === 0) throw new ShopError('CART_EMPTY')
  if (lines.length > maxCartLines) throw new ShopError('CART_TOO_LARGE')
  const isGuest = buyer.customerId === null
  if (isGuest && email === undefined)
    throw new ShopError('INVALID_REQUEST', { fields: { email: 'Email is required' } })
  const wrongParts = Object.entries(findAddressProblems(address, deps.terms.countries)).map(
    ([part, message]) => [`address.${part}`, message],
  )
  const newLines = lines.map((line) => {
    const { variantId, quantity, unitPrice, bike: bikeId = null } = line
    const { size = null, colour = null } = toStandardChoice(line)
    const unitPriceCents = toWholeCents(unitPrice)
    return { variantId, productId: null, quantity, unitPriceCents, size, colour, bikeId }
  })
  let problem: QuoteProblem | undefined
  const isKnown = async () =>
    placedBy !== undefined || (buyer.customerId !== null && (await hasVerifiedIdentity(db, buyer.customerId)))
  return place(deps, {
    order: {
      buyer,
      placedBy,
      email: isGuest ? (email ?? null) : null,
      name: address.name,
      phone: address.phone ?? '',
      address: formatAddress(address),
      shipping: address,
      note,
      lines: newLines,
      idempotencyKey,
      // Requests without these values have the hash of earlier versions.
      requestHash: hashRequest(
        lines,
        total,
        address,
        note,
        // An account with the email of a caller may be new.
        isGuest || placedBy ? email : null,
        ...(shippingRate === undefined ? [] : [shippingRate]),
        ...(coupon === undefined ? [] : [{ coupon: coupon.code }]),
        ...(placedBy ? [{ payWithinDays: placedBy.payWithinDays }] : []),
      ),
      needsChoice: true,
      emptiesCart: placedBy === undefined,
      condition: null,
    },
    agreedCents: toWholeCents(total),
    async findTerms() {
      // Only now, because a repeated request of an earlier version returns its order.
      if (wrongParts.length > 0) return null
      const found = await findTerms(db, newLines, toChargeRequest(checkout))
      problem = found.quoted.problems[0]
      return !problem && isChosen(checkout, found.quoted) ? found : null
    },
    async refuse(isLast, isCouponTaken) {
      if (isCouponTaken && coupon) throw toError(await refuseUsedCoupon(coupon, await isKnown()))
      if (wrongParts.length > 0)
        throw new ShopError('INVALID_REQUEST', { fields: Object.fromEntries(wrongParts) })
      // A quote would count an unknown code again. Whether a known one applies depends on the present prices.
      if (problem && problem.code !== 'COUPON_NOT_APPLICABLE') throw toError(problem)
      return refuseChangedCart(db, checkout, isLast)
    },
  })
}

/** Whether the shipping option of the buyer applies. A quote replaces one that is not offered any more. */
const isChosen = ({ shippingRate }: Checkout, found: { shippingRate?: string | undefined }): boolean =>
  shippingRate === undefined || found.shippingRate === shippingRate

const toChargeRequest = ({ address, shippingRate, coupon }: Checkout): ChargeRequest => {
  const { country, region, postalCode } = address
  return { destination: { country, region, postalCode }, shippingRate, coupon }
}

const toError = ({ code, message, retryAfter }: QuoteProblem): ShopError =>
  new ShopError(code, { details: { message }, ...(retryAfter && { retryAfter }) })

/**
 * @throws CART_CHANGED if the cart is not what the buyer saw, the problems of a quote, ORDER_TOO_SMALL, ORDER_TOO_LARGE
 */
async function refuseChangedCart(db: Kysely<Database>, checkout: Checkout, isLast: boolean): Promise<void> {
  const { lines, total } = checkout
  const quote = await cart.quote(db, lines, toChargeRequest(checkout))
  const [problem] = quote.problems
  if (problem) throw toError(problem)
  const isChanged =
    quote.lines.some((line) => line.problem) ||
    toCents(quote.total) !== toCents(total) ||
    !isChosen(checkout, quote)
  if (isLast || isChanged) {
    throw new ShopError('CART_CHANGED', { details: { quote } })
  }
  const goods = lines.map(({ quantity, unitPrice }) => ({ quantity, unitPriceCents: toCents(unitPrice) }))
  const code = refuseAmount(toCents(total), goods)
  if (code) throw new ShopError(code)
}

/** Counts the guest orders with the caller's email. Without a verified email the answer is 0: it could be a stranger's. */
export async function countGuestOrders(db: Kysely<Database>, { customerId, email }: Caller): Promise<number> {
  return (await hasVerifiedIdentity(db, customerId)) ? queries.countGuestOrders(db, email) : 0
}

/**
 * Adds the guest orders with the caller's email to the account. Returns how many.
 *
 * @throws EMAIL_UNCONFIRMED
 */
export async function claimGuestOrders(db: Kysely<Database>, caller: Caller): Promise<number> {
  if (!(await hasVerifiedIdentity(db, caller.customerId))) throw new ShopError('EMAIL_UNCONFIRMED')
  return retryTransient(db, () => repository.claimGuestOrders(db, caller, caller.email))
}
