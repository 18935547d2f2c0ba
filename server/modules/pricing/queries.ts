import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Lists all shipping rates. A shop has at most some hundred. */
export const listShippingRates = (db: Kysely<Database>) =>
  db
    .selectFrom('shipping_rates')
    .select(['id', 'position', 'name', 'note', 'places', 'max_grams', 'price_cents', 'free_from_cents'])
    .select('pickup_place')
    .orderBy('position')
    .orderBy('name')
    .orderBy('max_grams')
    .orderBy('id')
    .execute()

export type ShippingRateRow = Awaited<ReturnType<typeof listShippingRates>>[number]
