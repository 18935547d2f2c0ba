import type { Kysely } from 'kysely'
import { toCents, toDollars } from '../../../contract/money.ts'
import { normalizePlace } from '../../../contract/places.ts'
import type { EditedShippingRate, ShippingRate } from '../../../contract/shipping.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { requireRevision } from '../../platform/database/saved-row.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as queries from './queries.ts'
import { refuseTooManyRates } from './rates.ts'
import * as repository from './repository.ts'

export const listShippingRates = async (db: Kysely<Database>): Promise<ShippingRate[]> =>
  (await queries.listEditableShippingRates(db)).map(presentRate)

const presentRate = (row: queries.ShippingRateRow & { revision: string }): ShippingRate => ({
  id: row.id,
  name: row.name,
  note: row.note || undefined,
  places: row.places,
  maxWeight: row.max_grams ?? undefined,
  price: toDollars(row.price_cents),
  freeFrom: row.free_from_cents === null ? undefined : toDollars(row.free_from_cents),
  pickupPlace: row.pickup_place ?? undefined,
  position: row.position,
  revision: row.revision,
})

/**
 * Adds or replaces a shipping rate.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws TOO_MANY_RATES, RECORD_CHANGED
 */
export async function saveShippingRate(
  db: Kysely<Database>,
  id: string,
  edited: EditedShippingRate,
  savedBy: Actor | null,
): Promise<ShippingRate> {
  const { name, note, maxWeight, price, freeFrom, pickupPlace, position } = edited
  const places = [...new Set(edited.places.map(normalizePlace))]
  refuseTooManyRates(await queries.listShippingRates(db), id)
  return inTransaction(db, async (tx) => {
    const { revisions, ...saved } = await repository.saveShippingRate(tx, {
      id,
      position,
      name,
      note: note ?? '',
      places,
      max_grams: maxWeight ?? null,
      price_cents: toCents(price),
      free_from_cents: freeFrom === undefined ? null : toCents(freeFrom),
      pickup_place: pickupPlace || null,
    })
    requireRevision(revisions, edited.revision)
    await recordChange(tx, { area: 'rates', subject: name, ...saved, actor: savedBy })
    return { ...edited, places, id, revision: revisions.after }
  })
}

/** @throws NOT_FOUND */
export async function deleteShippingRate(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const deleted = await repository.deleteShippingRate(tx, id)
    if (!deleted) throw new ShopError('NOT_FOUND')
    const { name, values } = deleted
    await recordChange(tx, { area: 'rates', subject: name, before: values, after: null, actor: deletedBy })
  })
}
