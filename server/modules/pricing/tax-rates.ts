import type { Kysely } from 'kysely'
import { toPercent, toPpm } from '../../../contract/money.ts'
import type { EditedTaxRate, TaxRate } from '../../../contract/tax.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as queries from './queries.ts'
import { refuseTooManyRates } from './rates.ts'
import * as repository from './repository.ts'

export const listTaxRates = async (db: Kysely<Database>): Promise<TaxRate[]> =>
  (await queries.listTaxRates(db)).map((row) => ({
    id: row.id,
    place: row.place,
    label: row.label,
    rate: toPercent(row.rate_ppm),
    included: row.is_included,
    taxesShipping: row.taxes_shipping,
  }))

/** Adds or replaces a tax rate. @throws TAX_RATE_TAKEN, TOO_MANY_RATES */
export async function saveTaxRate(
  db: Kysely<Database>,
  id: string,
  edited: EditedTaxRate,
  savedBy: Actor | null,
): Promise<TaxRate> {
  const { place, label, rate, included, taxesShipping } = edited
  refuseTooManyRates(await queries.listTaxRates(db), id)
  await inTransaction(db, async (tx) => {
    const saved = await repository.saveTaxRate(tx, {
      id,
      place,
      label,
      rate_ppm: toPpm(rate),
      is_included: included,
      taxes_shipping: taxesShipping,
    })
    await recordChange(tx, { area: 'rates', subject: place, ...saved, actor: savedBy })
  }).catch(rejectTaken({ tax_rates_place: 'TAX_RATE_TAKEN' }))
  return { ...edited, id }
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
