import type { Kysely } from 'kysely'
import { errors } from '../../../contract/errors.ts'
import { toCents, toDollars } from '../../../contract/money.ts'
import type { Destination } from '../../../contract/places.ts'
import type { ChargeChoice, Quote, QuoteDestination, QuoteProblem } from '../../../contract/quote.ts'
import { findRegion, listRegions } from '../../../contract/regions.ts'
import { type EditedShippingRate, maxShippingRates, type ShippingRate } from '../../../contract/shipping.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { recordChange } from '../audit/service.ts'
import * as queries from './queries.ts'
import { areAllFree, chooseOption, findCheapest, isIncomplete, listOptions, toPrice } from './rates.ts'
import * as repository from './repository.ts'
import { type PricingLine, priceOrder, type Terms } from './rules.ts'

export * from './rules.ts'

/** An order to price. `grams`: the weight of one piece; null if it is unknown. */
export interface TermsRequest {
  lines: (PricingLine & { grams: number | null })[]
  /** Undefined: not known yet. */
  destination?: QuoteDestination | undefined
  choice?: ChargeChoice | undefined
}

/** The terms of an order. `quoted`: what a quote says about them. */
export interface ChargeTerms {
  terms: Terms<unknown>
  isPickup: boolean
  quoted: Pick<Quote, 'chargesAtCheckout' | 'shippingOptions' | 'shippingRate' | 'problems'>
}

/** The terms of an order without charges. */
function withoutCharges(quoted: Partial<ChargeTerms['quoted']> = {}): ChargeTerms {
  const nothing = { chargesAtCheckout: false, shippingOptions: [], problems: [] }
  return { terms: {}, isPickup: false, quoted: { ...nothing, ...quoted } }
}

/** Whether orders can have charges, and so need a checkout that knows their destination. */
export const hasCharges = async (db: Kysely<Database>): Promise<boolean> =>
  !areAllFree(await queries.listShippingRates(db))

/**
 * Finds the terms of an order. An order with problems cannot be placed.
 *
 * @param read reads the lines; not called if the shop has no rates
 */
export async function findTerms(
  db: Kysely<Database>,
  read: () => Promise<TermsRequest>,
): Promise<ChargeTerms> {
  const rates = await queries.listShippingRates(db)
  if (rates.length === 0) return withoutCharges()
  const { lines, destination: typed, choice } = await read()
  if (!typed) return withoutCharges({ chargesAtCheckout: true })
  const destination = toDestination(typed)
  if (isIncomplete(rates, destination)) {
    return withoutCharges({ chargesAtCheckout: true, problems: [toProblem('ADDRESS_INCOMPLETE')] })
  }
  const grams = lines.reduce((sum, line) => sum + line.quantity * (line.grams ?? 0), 0)
  const options = listOptions(rates, { destination, grams })
  const goodsCents = priceOrder({ lines }).totalCents
  const chosen = chooseOption(options, choice?.shippingRate, goodsCents)
  if (!chosen) return withoutCharges({ chargesAtCheckout: true, problems: [toProblem('NO_SHIPPING')] })
  const isPickup = chosen.pickup_place !== null
  return {
    isPickup,
    quoted: {
      chargesAtCheckout: true,
      problems: [],
      shippingRate: chosen.name,
      shippingOptions: options.map((option) => ({
        name: option.name,
        note: option.note,
        price: toDollars(toPrice(option, goodsCents)),
        pickup: option.pickup_place !== null,
      })),
    },
    terms: {
      ship: (cents) => ({
        label: isPickup ? chosen.name : `Shipping (${chosen.name})`,
        cents: toPrice(chosen, cents),
        cheapestCents: toPrice(findCheapest(options, cents) ?? chosen, cents),
      }),
    },
  }
}

const toProblem = (code: QuoteProblem['code']): QuoteProblem => ({ code, message: errors[code].message })

/** A region of a country with a list has its code or its name; an unknown one counts as missing. */
const toDestination = ({ country, region, postalCode }: QuoteDestination): Destination => ({
  country,
  region: listRegions(country).length > 0 ? findRegion(country, region)?.code : region?.toUpperCase(),
  postalCode: postalCode || undefined,
})

export const listShippingRates = async (db: Kysely<Database>): Promise<ShippingRate[]> =>
  (await queries.listShippingRates(db)).map(presentRate)

const presentRate = (row: queries.ShippingRateRow): ShippingRate => ({
  id: row.id,
  name: row.name,
  note: row.note || undefined,
  places: row.places,
  maxWeight: row.max_grams ?? undefined,
  price: toDollars(row.price_cents),
  freeFrom: row.free_from_cents === null ? undefined : toDollars(row.free_from_cents),
  pickupPlace: row.pickup_place ?? undefined,
  position: row.position,
})

/** Adds or replaces a shipping rate. @throws TOO_MANY_SHIPPING_RATES */
export async function saveShippingRate(
  db: Kysely<Database>,
  id: string,
  edited: EditedShippingRate,
  savedBy: Actor | null,
): Promise<ShippingRate> {
  const { name, note, places, maxWeight, price, freeFrom, pickupPlace, position } = edited
  const rates = await queries.listShippingRates(db)
  if (rates.length >= maxShippingRates && !rates.some((rate) => rate.id === id))
    throw new ShopError('TOO_MANY_SHIPPING_RATES')
  await inTransaction(db, async (tx) => {
    const saved = await repository.saveShippingRate(tx, {
      id,
      position,
      name,
      note: note ?? '',
      places: [...new Set(places)],
      max_grams: maxWeight ?? null,
      price_cents: toCents(price),
      free_from_cents: freeFrom === undefined ? null : toCents(freeFrom),
      pickup_place: pickupPlace || null,
    })
    await recordChange(tx, { area: 'rates', subject: name, ...saved, actor: savedBy })
  })
  return { ...edited, id }
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
