import { formatCents } from '../../../contract/money.ts'
import { type Destination, matchPlace } from '../../../contract/places.ts'
import { ShopError } from '../../platform/errors.ts'

const maxRates = 200

/** @throws TOO_MANY_RATES unless the rate with this id replaces one, or there is room for another one */
export function refuseTooManyRates(rates: { id: string }[], id: string): void {
  if (rates.length >= maxRates && !rates.some((rate) => rate.id === id)) throw new ShopError('TOO_MANY_RATES')
}

/** A shipping rate as it is stored. */
export interface Rate {
  name: string
  note: string
  places: string[]
  max_grams: number | null
  price_cents: number
  free_from_cents: number | null
  pickup_place: string | null
}

/** An order to ship. An unknown weight counts as 0 g. */
export interface Parcel {
  destination: Destination
  grams: number
}

/**
 * Lists the rates that a buyer can choose, one for each name: the rate with the most specific place, and of several ones
 * the rate with the lowest sufficient weight. If the most specific place has none for this weight, the name is left out.
 */
export function listOptions<Each extends Rate>(rates: Each[], { destination, grams }: Parcel): Each[] {
  const byName = Map.groupBy(rates, ({ name }) => name)
  return [...byName.values()].flatMap((sameName) => {
    const ranked = sameName.map((rate) => ({ rate, rank: rankRate(rate, destination) }))
    const best = Math.max(...ranked.map(({ rank }) => rank))
    if (best < 0) return []
    const sufficient = ranked
      .filter(({ rank, rate }) => rank === best && grams <= (rate.max_grams ?? Infinity))
      .toSorted((a, b) => (a.rate.max_grams ?? Infinity) - (b.rate.max_grams ?? Infinity))
    return sufficient.slice(0, 1).map(({ rate }) => rate)
  })
}

/** Returns how specific the place of a rate is for a destination; -1 if none of its places is there. */
function rankRate(rate: Rate, destination: Destination): number {
  const ranks = toPlaces(rate).map((place) => matchPlace(place, destination) ?? -1)
  return Math.max(...ranks)
}

/** `null`: everywhere. */
const toPlaces = ({ places }: Rate): (string | null)[] => (places.length > 0 ? places : [null])

/** Returns the tax rate with the most specific place of a destination. */
export function findTaxRate<Each extends { place: string }>(
  rates: Each[],
  destination: Destination,
): Each | undefined {
  const ranked = rates.flatMap((rate) => {
    const rank = matchPlace(rate.place, destination)
    return rank === null ? [] : [{ rate, rank }]
  })
  return ranked.toSorted((one, other) => other.rank - one.rank)[0]?.rate
}

/** Returns the price of a rate for these goods, in cents. */
export const toPrice = ({ price_cents, free_from_cents }: Rate, goodsCents: number): number =>
  free_from_cents !== null && goodsCents >= free_from_cents ? 0 : price_cents

/** Returns what delivery costs, such as `From $4.95, free from $100`. Empty if nothing is shipped at a rate. */
export function describeDelivery(rates: Rate[]): string {
  const shipped = rates.filter(({ pickup_place }) => pickup_place === null)
  const [cheapest] = shipped.toSorted((a, b) => a.price_cents - b.price_cents)
  if (!cheapest) return ''
  const freeFrom = Math.min(...[...Map.groupBy(rates, ({ name }) => name).values()].map(findFreeFrom))
  if (freeFrom === 0) return 'Free'
  const from =
    cheapest.price_cents === 0 ? 'Free to some places' : `From ${formatCents(cheapest.price_cents)}`
  return freeFrom < Infinity ? `${from}, free from ${formatCents(freeFrom)}` : from
}

/**
 * Returns the price of goods from which the rates of one name ship each order everywhere for nothing, in cents; Infinity if
 * there is none. See `listOptions` for the rate that applies.
 */
function findFreeFrom(sameName: Rate[]): number {
  const unlimited = new Set(sameName.filter(({ max_grams }) => max_grams === null).flatMap(toPlaces))
  const isForAll = unlimited.has(null) && sameName.flatMap(toPlaces).every((place) => unlimited.has(place))
  if (!isForAll || sameName.some(({ pickup_place }) => pickup_place !== null)) return Infinity
  return Math.max(
    ...sameName.map((rate) => (rate.price_cents === 0 ? 0 : (rate.free_from_cents ?? Infinity))),
  )
}

const isPickup = ({ pickup_place }: Rate): boolean => pickup_place !== null

/**
 * Returns the option with this name, or else the cheapest one that is not a pickup. Without a choice a pickup applies only if
 * the shop ships nothing: other buyers expect a parcel.
 *
 * @param rates all rates of the shop
 */
export function chooseOption<Each extends Rate>(
  rates: Each[],
  options: Each[],
  name: string | undefined,
  goodsCents: number,
): Each | undefined {
  const named = options.find((option) => option.name === name)
  return named ?? findCheapest(options, goodsCents) ?? (rates.every(isPickup) ? options[0] : undefined)
}

/** Returns the cheapest option that is not a pickup. */
export function findCheapest<Each extends Rate>(options: Each[], goodsCents: number): Each | undefined {
  const shipped = options.filter((option) => !isPickup(option))
  const [first, ...others] = shipped
  return others.reduce(
    (best, option) =>
      best === undefined || toPrice(option, goodsCents) < toPrice(best, goodsCents) ? option : best,
    first,
  )
}
