import { type Insertable, type Kysely, sql } from 'kysely'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Database, ShippingRatesTable } from '../../../db/schema.ts'
import { savedRow } from '../../platform/database/saved-row.ts'

/** Adds or replaces a shipping rate. Returns its values before and after. */
export const saveShippingRate = (db: Kysely<Database>, rate: Insertable<ShippingRatesTable>) =>
  db
    .insertInto('shipping_rates')
    .values(rate)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rate))
    .returning(savedRow('id'))
    .executeTakeFirstOrThrow()

/** Returns the values of the deleted rate; undefined if it does not exist. */
export const deleteShippingRate = (db: Kysely<Database>, id: string) =>
  db
    .deleteFrom('shipping_rates')
    .where('id', '=', id)
    .returning(['name', sql<ChangedColumns>`to_jsonb(shipping_rates) - 'id'`.as('values')])
    .executeTakeFirst()
