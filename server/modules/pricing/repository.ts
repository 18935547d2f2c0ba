import { type Insertable, type Kysely, sql } from 'kysely'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Database, ShippingRatesTable } from '../../../db/schema.ts'

interface SavedRow {
  /** Null: the row was added. */
  before: ChangedColumns | null
  after: ChangedColumns
}

/** Adds or replaces a shipping rate. Returns its values before and after, without its id, for the audit. */
export const saveShippingRate = (
  db: Kysely<Database>,
  rate: Insertable<ShippingRatesTable>,
): Promise<SavedRow> =>
  db
    .insertInto('shipping_rates')
    .values(rate)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rate))
    .returning([
      sql<SavedRow['before']>`to_jsonb(old) - 'id'`.as('before'),
      sql<SavedRow['after']>`to_jsonb(new) - 'id'`.as('after'),
    ])
    .executeTakeFirstOrThrow()

/** Returns the values of the deleted rate; undefined if it does not exist. */
export async function deleteShippingRate(db: Kysely<Database>, id: string) {
  return db
    .deleteFrom('shipping_rates')
    .where('id', '=', id)
    .returning(['name', sql<ChangedColumns>`to_jsonb(shipping_rates) - 'id'`.as('values')])
    .executeTakeFirst()
}
