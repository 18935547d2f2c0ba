import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import type { CouponsTable, Database } from '../../../db/schema.ts'
import { anyOf } from '../../platform/database/database.ts'
import { rowRevision } from '../../platform/database/saved-row.ts'
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

export const listEditableShippingRates = (db: Kysely<Database>) =>
  selectShippingRates(db).select(rowRevision('shipping_rates', 'id')).execute()

export type ShippingRateRow = Awaited<ReturnType<typeof listShippingRates>>[number]

const selectTaxRates = (db: Pick<Kysely<Database>, 'selectFrom'>) =>
  db
    .selectFrom('tax_rates')
    .select(['id', 'place', 'label', 'rate_ppm', 'is_included', 'taxes_shipping'])
    .orderBy('place')

export const listTaxRates = (db: Kysely<Database>) => selectTaxRates(db).execute()

export const listEditableTaxRates = (db: Kysely<Database>) =>
  selectTaxRates(db).select(rowRevision('tax_rates', 'id')).execute()

export type TaxRateRow = Awaited<ReturnType<typeof listTaxRates>>[number]

/** Whether a code has started and not ended. */
const isCurrent = sql<boolean>`(starts_at <= now()) is not false and (ends_at > now()) is not false`

/** The columns of a coupon that a price depends on. */
const discountColumns = [
  'id',
  'code',
  'kind',
  'rate_ppm',
  'amount_cents',
  'min_goods_cents',
  'product_kind',
  'brand',
  'max_uses',
  'once_per_buyer',
  'used',
] as const

/** Selects the coupon with this code if it has started and not ended. */
const selectCoupon = (db: Pick<Kysely<Database>, 'selectFrom'>, code: string) =>
  db.selectFrom('coupons').select(discountColumns).where('code_key', '=', toNumberKey(code)).where(isCurrent)

export type DiscountRow = Pick<Selectable<CouponsTable>, (typeof discountColumns)[number]>

/** Whether the shop has shipping or tax rates. */
const hasRates = sql<boolean>`(exists (select from shipping_rates) or exists (select from tax_rates))`

/**
 * Reads in one statement what the price of an order depends on: the rates, whether a code is valid now, the details of the
 * variants if the shop has rates or a code is typed, and the coupon of a typed code if it has started and not ended.
 *
 * @param typed `secondsToWait`: a subquery, for how long no code is looked up; null if it is looked up now
 */
export const readRates = (
  db: Kysely<Database>,
  variantIds: string[],
  typed?: { code: string; secondsToWait: RawBuilder<number | null> },
) =>
  db
    .selectNoFrom((eb) => [
      jsonArrayFrom(selectShippingRates(eb)).as('shipping'),
      jsonArrayFrom(selectTaxRates(eb)).as('tax'),
      eb
        .exists(eb.selectFrom('coupons').where(isCurrent).where(sql<boolean>`(used < max_uses) is not false`))
        .$castTo<boolean>()
        .as('has_coupons'),
      jsonArrayFrom(
        eb
          .selectFrom('variants')
          .innerJoin('products', 'products.id', 'product_id')
          .select(['variants.id', 'weight_grams', 'brand', 'kind'])
          .where('variants.id', '=', anyOf([...new Set(variantIds)]))
          .$if(!typed, (query) => query.where(hasRates)),
      ).as('variants'),
    ])
    .$if(typed !== undefined, (query) =>
      query.select((eb) => [
        jsonObjectFrom(selectCoupon(eb, typed?.code ?? '')).as('coupon'),
        (typed?.secondsToWait ?? sql<null>`null`).as('seconds_to_wait'),
      ]),
    )
    .executeTakeFirstOrThrow()

/**
 * A condition that is true while no order can have shipping or tax, or everything can be shipped for nothing everywhere.
 * A rate for a place or a weight replaces the others of its name, so all rates of the free name have to be free.
 */
export const noCharges = sql<boolean>`not exists (select from tax_rates) and (
  not exists (select from shipping_rates) or exists (
    select from shipping_rates group by name
    having bool_or(places = '{}')
      and bool_and(price_cents = 0 and max_grams is null and pickup_place is null)))`

export async function canHaveCharges(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select where not (${noCharges})`.execute(db)
  return rows.length > 0
}

const couponColumns = [...discountColumns, 'starts_at', 'ends_at'] as const

/** An order that uses a code does not change its revision. */
export const hiddenInCoupons = ['id', 'code_key', 'used'] as const

export type CouponRow = Pick<Selectable<CouponsTable>, (typeof couponColumns)[number]> & { revision: string }

/** Lists coupons by code. */
export async function listCoupons(
  db: Kysely<Database>,
  query: { q?: string | undefined; page?: number | undefined; pageSize?: number | undefined },
): Promise<Page<CouponRow>> {
  const { limit, offset } = toLimitOffset(query)
  const found = query.q
    ? db.selectFrom('coupons').where('code', 'ilike', containing(query.q))
    : db.selectFrom('coupons')
  const rows = await found
    .select(couponColumns)
    .select(rowRevision('coupons', ...hiddenInCoupons))
    .orderBy('code_key')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Returns a brand or a kind as products have it, in any case; undefined if no product has it. */
export async function findSpelling(
  db: Kysely<Database>,
  column: 'brand' | 'kind',
  typed: string | undefined,
): Promise<string | undefined> {
  if (!typed) return undefined
  const value = sql.ref<string>(column)
  const found = await db
    .selectFrom('products')
    .select(value.as('value'))
    .where(sql<boolean>`lower(${value}) = lower(${typed})`)
    .orderBy(sql`${value} = ${typed}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.value
}
