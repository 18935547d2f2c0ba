import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import type { Database } from '../../../db/schema.ts'
import { containing, type Page, toLimitOffset } from '../../platform/http/paging.ts'

/** Selects all shipping rates. A shop has at most some hundred. */
const selectShippingRates = (db: Pick<Kysely<Database>, 'selectFrom'>) =>
  db
    .selectFrom('shipping_rates')
    .select(['id', 'position', 'name', 'note', 'places', 'max_grams', 'price_cents', 'free_from_cents'])
    .select('pickup_place')
    .orderBy('position')
    .orderBy('name')
    .orderBy('max_grams')
    .orderBy('id')

export const listShippingRates = (db: Kysely<Database>) => selectShippingRates(db).execute()

export type ShippingRateRow = Awaited<ReturnType<typeof listShippingRates>>[number]

const selectTaxRates = (db: Pick<Kysely<Database>, 'selectFrom'>) =>
  db
    .selectFrom('tax_rates')
    .select(['id', 'place', 'label', 'rate_ppm', 'is_included', 'taxes_shipping'])
    .orderBy('place')

export const listTaxRates = (db: Kysely<Database>) => selectTaxRates(db).execute()

export type TaxRateRow = Awaited<ReturnType<typeof listTaxRates>>[number]

/** Whether a code has started and not ended. */
const isCurrent = sql<boolean>`(starts_at <= now()) is not false and (ends_at > now()) is not false`

/** Reads in one statement what the price of an order depends on: the rates, and whether a code is valid now. */
export const readRates = (db: Kysely<Database>) =>
  db
    .selectNoFrom((eb) => [
      jsonArrayFrom(selectShippingRates(eb)).as('shipping'),
      jsonArrayFrom(selectTaxRates(eb)).as('tax'),
      eb
        .exists(eb.selectFrom('coupons').where(isCurrent).where(sql<boolean>`(used < max_uses) is not false`))
        .$castTo<boolean>()
        .as('has_coupons'),
    ])
    .executeTakeFirstOrThrow()

/** A condition that is true while no order can have shipping or tax, or everything can be shipped for nothing everywhere. */
export const noCharges = sql<boolean>`not exists (select from tax_rates) and (
  not exists (select from shipping_rates) or exists (
    select from shipping_rates
    where places = '{}' and max_grams is null and price_cents = 0 and pickup_place is null))`

export async function canHaveCharges(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select where not (${noCharges})`.execute(db)
  return rows.length > 0
}

const couponColumns = [
  'id',
  'code',
  'kind',
  'rate_ppm',
  'amount_cents',
  'min_goods_cents',
  'product_kind',
  'brand',
  'starts_at',
  'ends_at',
  'max_uses',
  'once_per_buyer',
  'used',
] as const

/** Returns the coupon with this code if it has started and not ended. */
export const findCoupon = (db: Kysely<Database>, code: string) =>
  db
    .selectFrom('coupons')
    .select(couponColumns)
    .where('code_key', '=', toNumberKey(code))
    .where(isCurrent)
    .executeTakeFirst()

export type CouponRow = NonNullable<Awaited<ReturnType<typeof findCoupon>>>

/** Lists coupons by code. */
export async function listCoupons(
  db: Kysely<Database>,
  query: { q?: string | undefined; page?: number | undefined; pageSize?: number | undefined },
): Promise<Page<CouponRow>> {
  const { limit, offset } = toLimitOffset(query)
  const found = query.q
    ? db.selectFrom('coupons').where('code', 'ilike', containing(query.q))
    : db.selectFrom('coupons')
  const rows = await found.select(couponColumns).orderBy('code_key').limit(limit).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
