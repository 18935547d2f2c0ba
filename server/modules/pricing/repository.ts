import { type Insertable, type Kysely, sql } from 'kysely'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { CouponsTable, Database, ShippingRatesTable, TaxRatesTable } from '../../../db/schema.ts'
import { savedRowWithRevisions } from '../../platform/database/saved-row.ts'
import { hiddenInCoupons } from './queries.ts'

/** Adds or replaces a shipping rate. Returns its values before and after. */
export const saveShippingRate = (db: Kysely<Database>, rate: Insertable<ShippingRatesTable>) =>
  db
    .insertInto('shipping_rates')
    .values(rate)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rate))
    .returning(savedRowWithRevisions('id'))
    .executeTakeFirstOrThrow()

/** Returns the values of the deleted rate; undefined if it does not exist. */
export const deleteShippingRate = (db: Kysely<Database>, id: string) =>
  db
    .deleteFrom('shipping_rates')
    .where('id', '=', id)
    .returning(['name', sql<ChangedColumns>`to_jsonb(shipping_rates) - 'id'`.as('values')])
    .executeTakeFirst()

/**
 * Adds or replaces a tax rate. Returns its values before and after.
 * @throws a violation of the unique key `tax_rates_place`
 */
export const saveTaxRate = (db: Kysely<Database>, rate: Insertable<TaxRatesTable>) =>
  db
    .insertInto('tax_rates')
    .values(rate)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rate))
    .returning(savedRowWithRevisions('id'))
    .executeTakeFirstOrThrow()

/** Returns the values of the deleted rate; undefined if it does not exist. */
export const deleteTaxRate = (db: Kysely<Database>, id: string) =>
  db
    .deleteFrom('tax_rates')
    .where('id', '=', id)
    .returning(['place', sql<ChangedColumns>`to_jsonb(tax_rates) - 'id'`.as('values')])
    .executeTakeFirst()

/**
 * Adds or replaces a coupon. Returns its values before and after, and its uses.
 *
 * The upsert alone would lock the key of the row, and wait as long as there are orders with the code. An update locks the
 * key only if the code changes.
 *
 * @throws a violation of the unique key `coupons_code`
 */
export async function saveCoupon(db: Kysely<Database>, coupon: Omit<Insertable<CouponsTable>, 'used'>) {
  const saved = [...savedRowWithRevisions(...hiddenInCoupons), 'used'] as const
  const known = db.updateTable('coupons').set(coupon).where('id', '=', coupon.id)
  const updated = await known.returning(saved).executeTakeFirst()
  if (updated) return updated
  return db
    .insertInto('coupons')
    .values(coupon)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(coupon))
    .returning(saved)
    .executeTakeFirstOrThrow()
}
