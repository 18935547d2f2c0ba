import type { Kysely } from 'kysely'
import type { Coupon, EditedCoupon } from '../../../contract/coupons.ts'
import { errors } from '../../../contract/errors.ts'
import { formatCents, toCents, toDollars, toPercent, toPpm } from '../../../contract/money.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { pluralize } from '../../../contract/plurals.ts'
import type { QuoteProblem } from '../../../contract/quote.ts'
import { tooManyCodes } from '../../../contract/waiting-time.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, rejectTaken } from '../../platform/database/database.ts'
import { requireRevision } from '../../platform/database/saved-row.ts'
import { ShopError } from '../../platform/errors.ts'
import { groupIp } from '../../platform/http/ip.ts'
import type { Page } from '../../platform/http/paging.ts'
import { createKeyedLimiter } from '../../platform/limiter.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import { recordChange } from '../audit/service.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'
import { type DiscountTerms, priceOrder } from './rules.ts'

/** A readable code is public anyway; a random one of six characters is not found in 20 guesses an hour. */
export const couponLimits = { unknownCouponsPerIp: { max: 20, seconds: 3600 } }

export type CouponLimiter = RateLimiter<keyof typeof couponLimits>

/** A code that a buyer has typed, and from where. */
export interface TypedCoupon {
  code: string
  ip: string
  limiter: CouponLimiter
}

type FoundCoupon =
  | { coupon: queries.DiscountRow; problem?: never }
  | { coupon?: never; problem: QuoteProblem }

const limit = 'unknownCouponsPerIp'

/**
 * A network looks up few codes at the same time, so that the counts of earlier ones stop the others. Otherwise any number of
 * parallel requests would look up a code each before the first unknown one is counted.
 */
const takeTurn = createKeyedLimiter({
  concurrency: 8,
  maxQueued: 128,
  onOverflow: () => new ShopError('UNAVAILABLE'),
})

/**
 * Reads the rates and the details of variants, with the coupon of a typed code or why it cannot be used.
 *
 * @throws UNAVAILABLE if too many codes from one network wait
 */
export async function readRates(
  db: Kysely<Database>,
  variantIds: string[],
  typed: TypedCoupon | undefined,
): Promise<{ rates: Awaited<ReturnType<typeof queries.readRates>>; found?: FoundCoupon }> {
  if (!typed) return { rates: await queries.readRates(db, variantIds) }
  const { code, ip, limiter } = typed
  const network = groupIp(ip)
  return takeTurn(network, async () => {
    const secondsToWait = limiter.secondsToWait(limit, network)
    const rates = await queries.readRates(db, variantIds, { code, secondsToWait })
    return { rates, found: await chooseCoupon(typed, rates) }
  })
}

/**
 * Returns the coupon of a typed code, or why it cannot be used. After too many unknown codes from one network none is
 * used, and no answer depends on the code.
 *
 * @param looked what the lookup has found
 */
async function chooseCoupon(
  { ip, limiter }: TypedCoupon,
  looked: { coupon?: queries.DiscountRow | null; seconds_to_wait?: number | null },
): Promise<FoundCoupon> {
  const { coupon, seconds_to_wait: waiting } = looked
  if (waiting) return { problem: toLimitProblem(waiting) }
  if (coupon) {
    const isUsedUp = coupon.max_uses !== null && coupon.used >= coupon.max_uses
    return isUsedUp ? { problem: toProblem('COUPON_USED_UP') } : { coupon }
  }
  const seconds = await limiter.tryCountIp(limit, ip)
  return { problem: seconds > 0 ? toLimitProblem(seconds) : toProblem('COUPON_UNKNOWN') }
}

/**
 * Returns why an order cannot use a coupon that its email has used. This shows that the email has an order, so it counts like
 * an unknown code unless the email is known to be the buyer's. A vaguer reason would show it too: the code works for others.
 */
export async function refuseUsedCoupon(
  { ip, limiter }: TypedCoupon,
  isKnown: boolean,
): Promise<QuoteProblem> {
  const seconds = isKnown ? 0 : await limiter.tryCountIp(limit, ip)
  return seconds > 0 ? toLimitProblem(seconds) : toProblem('COUPON_ALREADY_USED')
}

export const toProblem = (
  code: QuoteProblem['code'],
  message: string = errors[code].message,
): QuoteProblem => ({ code, message })

const toLimitProblem = (retryAfter: number): QuoteProblem => ({
  ...toProblem('COUPON_NOT_CHECKED', tooManyCodes(retryAfter)),
  retryAfter,
})

/** A line that a discount may apply to. */
export interface DiscountLine {
  quantity: number
  unitPriceCents: number
  brand: string | null
  productKind: string | null
}

/** Returns the discount of a coupon on these lines, or why it does not apply to them. */
export function toDiscount(
  coupon: queries.DiscountRow,
  lines: DiscountLine[],
): { discount: DiscountTerms; problem?: never } | { discount?: never; problem: QuoteProblem } {
  const missingCents = coupon.min_goods_cents - priceOrder({ lines }).totalCents
  if (missingCents > 0) {
    const message = `Add items for ${formatCents(missingCents)} to use this code.`
    return { problem: toProblem('COUPON_NOT_APPLICABLE', message) }
  }
  const isOf = (limit: string | null, value: string | null) => limit === null || limit === value
  const isEligible = lines.map(
    ({ brand, productKind }) => isOf(coupon.brand, brand) && isOf(coupon.product_kind, productKind),
  )
  if (!isEligible.includes(true)) return { problem: toProblem('COUPON_NOT_APPLICABLE') }
  const label = `Discount (${coupon.code})`
  const { kind, rate_ppm, amount_cents } = coupon
  if (kind === 'shipping') return { discount: { label, isEligible, kind } }
  return {
    discount:
      kind === 'percent'
        ? { label, isEligible, kind, ppm: rate_ppm ?? 0 }
        : { label, isEligible, kind, cents: amount_cents ?? 0 },
  }
}

export async function listCoupons(
  db: Kysely<Database>,
  query: Parameters<typeof queries.listCoupons>[1],
): Promise<Page<Coupon>> {
  const { rows, total } = await queries.listCoupons(db, query)
  return { rows: rows.map(presentCoupon), total }
}

const presentCoupon = (row: queries.CouponRow): Coupon => ({
  id: row.id,
  code: row.code,
  kind: row.kind,
  rate: row.rate_ppm === null ? undefined : toPercent(row.rate_ppm),
  amount: row.amount_cents === null ? undefined : toDollars(row.amount_cents),
  minGoods: row.min_goods_cents > 0 ? toDollars(row.min_goods_cents) : undefined,
  productKind: row.product_kind ?? undefined,
  brand: row.brand ?? undefined,
  startsAt: row.starts_at?.toISOString(),
  endsAt: row.ends_at?.toISOString(),
  maxUses: row.max_uses ?? undefined,
  oncePerBuyer: row.once_per_buyer,
  used: row.used,
  revision: row.revision,
})

/**
 * Adds or replaces a coupon. Its uses stay. Brand and kind are stored as products have them, because the discount compares
 * them exactly.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws COUPON_CODE_TAKEN, RECORD_CHANGED, INVALID_REQUEST if no product has the brand or the kind, or if the code has been
 * used more often. Such values of an earlier save may stay.
 */
export async function saveCoupon(
  db: Kysely<Database>,
  id: string,
  edited: EditedCoupon,
  savedBy: Actor | null,
): Promise<Coupon> {
  const { code, kind, rate, amount, minGoods, startsAt, endsAt, maxUses } = edited
  return inTransaction(db, async (tx) => {
    const knownBrand = await queries.findSpelling(tx, 'brand', edited.brand)
    const knownKind = await queries.findSpelling(tx, 'kind', edited.productKind)
    const brand = knownBrand ?? (edited.brand || null)
    const productKind = knownKind ?? (edited.productKind || null)
    const { used, revisions, ...saved } = await repository.saveCoupon(tx, {
      id,
      code,
      code_key: toNumberKey(code),
      kind,
      rate_ppm: kind === 'percent' && rate !== undefined ? toPpm(rate) : null,
      amount_cents: kind === 'amount' && amount !== undefined ? toCents(amount) : null,
      min_goods_cents: minGoods === undefined ? 0 : toCents(minGoods),
      product_kind: productKind,
      brand,
      starts_at: startsAt ?? null,
      ends_at: endsAt ?? null,
      max_uses: maxUses ?? null,
      once_per_buyer: edited.oncePerBuyer,
    })
    requireRevision(revisions, edited.revision)
    const { before } = saved
    const fields = {
      ...(brand && !knownBrand && before?.brand !== brand && { brand: 'No product has this brand' }),
      ...(productKind &&
        !knownKind &&
        before?.product_kind !== productKind && { productKind: 'No product has this kind' }),
      ...(maxUses !== undefined &&
        maxUses < used &&
        before?.max_uses !== maxUses && { maxUses: `Already used ${pluralize(used, 'time')}` }),
    }
    if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })
    await recordChange(tx, { area: 'rates', subject: code, ...saved, actor: savedBy })
    return {
      ...edited,
      brand: brand ?? undefined,
      productKind: productKind ?? undefined,
      id,
      used,
      revision: revisions.after,
    }
  }).catch(rejectTaken({ coupons_code: 'COUPON_CODE_TAKEN' }))
}
