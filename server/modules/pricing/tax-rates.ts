import type { Kysely } from 'kysely'
import { toPercent, toPpm } from '../../../contract/money.ts'
import { normalizePlace } from '../../../contract/places.ts'
import type { EditedTaxRate, TaxRate } from '../../../contract/tax.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, rejectTaken } from '../../platform/database/database.ts'
import { requireRevision } from '../../platform/database/saved-row.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as queries from './queries.ts'
import { refuseTooManyRates } from './rates.ts'
import * as repository from './repository.ts'

export const listTaxRates = async (db: Kysely<Database>): Promise<TaxRate[]> =>
  (await queries.listEditableTaxRates(db)).map((row) => ({
    id: row.id,
    place: row.place,
    label: row.label,
    rate: toPercent(row.rate_ppm),
    included: row.is_included,
    taxesShipping: row.taxes_shipping,
    revision: row.revision,
  }))

/**
 * Adds or replaces a tax rate. All spellings of a place are stored as one, so a place has one rate.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws TAX_RATE_TAKEN, TOO_MANY_RATES, RECORD_CHANGED
 */
export async function saveTaxRate(
  db: Kysely<Database>,
  id: string,
  edited: EditedTaxRate,
  savedBy: Actor | null,
): Promise<TaxRate> {
  const { label, rate, included, taxesShipping } = edited
  const place = normalizePlace(edited.place)
  const rates = await queries.listTaxRates(db)
  refuseTooManyRates(rates, id)
  // Earlier versions stored other spellings, which the unique key does not compare.
  if (rates.some((rate) => rate.id !== id && normalizePlace(rate.place) === place))
    throw new ShopError('TAX_RATE_TAKEN')
  return inTransaction(db, async (tx) => {
    const { revisions, ...saved } = await repository.saveTaxRate(tx, {
      id,
      place,
      label,
      rate_ppm: toPpm(rate),
      is_included: included,
      taxes_shipping: taxesShipping,
    })
    requireRevision(revisions, edited.revision)
    await recordChange(tx, { area: 'rates', subject: place, ...saved, actor: savedBy })
    return { ...edited, place, id, revision: revisions.after }
  }).catch(rejectTaken({ tax_rates_place: 'TAX_RATE_TAKEN' }))
}

/** @throws NOT_FOUND */
export async function deleteTaxRate(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const deleted = await repository.deleteTaxRate(tx, id)
    if (!deleted) throw new ShopError('NOT_FOUND')
    const { place, values } = deleted
    await recordChange(tx, { area: 'rates', subject: place, before: values, after: null, actor: deletedBy })
  })
}
