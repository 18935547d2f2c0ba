import * as z from 'zod/mini'
import { countryCodes, describeParts, findCodeError, isTerritory, toPlainCode } from './address-rules.ts'
import { listRegions } from './regions.ts'

const placeField = (pattern: RegExp, error: string) =>
  z.string(error).check(z.trim(), z.toUpperCase(), z.regex(pattern, { error, abort: true }))

/** A place of a rate: a country, a region, or the beginning of a postal code, such as `US`, `US-NY` or `US 100`. */
export const place = placeField(
  /^[A-Z]{2}(?:-[A-Z0-9]{1,3}| [A-Z0-9]{1,10})?$/,
  'Enter a country, a region or a postal code, such as US, US-NY or US 100',
)

const pickupPattern = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?(?: ([A-Z0-9]{1,10}))?$/

/** Where buyers collect their orders: a country, perhaps with a region and a postal code, such as `US-TX 78701`. */
export const pickupPlace = placeField(
  pickupPattern,
  'Enter a country with its region and postal code, such as US-TX or US-TX 78701',
)

const hasCountry = z.refine<string>((place) => countryCodes.includes(place.slice(0, 2)), {
  error: 'Use a country code of ISO 3166-1, such as GB',
  abort: true,
})
const canHaveRegion = z.refine<string>(
  (place) => place[2] !== '-' || listRegions(place.slice(0, 2)).length > 0,
  'Regions are for rates in the US and Canada. Use the beginning of a postal code, such as AU 6',
)
const hasRegion = z.refine<string>((place) => {
  const { country, region } = toPickupDestination(place)
  const regions = listRegions(country)
  return !region || regions.length === 0 || regions.some(({ code }) => code === region)
}, 'Use a region code of ISO 3166-2, such as US-NY')

/**
 * The place of an edited rate. No order goes to `UK` or `US-FLO`, and where no regions are listed, buyers type names instead
 * of codes. Stored rates can have such places.
 */
export const editedPlace = place.check(hasCountry, canHaveRegion, hasRegion)

/** The place of a preview. */
export const previewedPlace = pickupPlace.check(hasCountry, hasRegion)

/** Without a region or a postal code, a pickup has no tax of its place. */
const isExact = z.refine<string>((place) => {
  const { country, region, postalCode } = toPickupDestination(place)
  const { needsRegion, needsPostalCode } = describeParts(country)
  const isWhole = isTerritory(country) || !(needsRegion || needsPostalCode)
  return (isWhole || region || postalCode) && !findCodeError(country, postalCode)
}, 'Add the region or the whole postal code, such as US-TX, US 78701 or CA M5V2T6')

/** The place of an edited pickup. */
export const editedPickupPlace = previewedPlace.check(isExact)

export function toPickupDestination(pickupPlace: string): Destination {
  const [, country = '', region, postalCode] = pickupPattern.exec(pickupPlace) ?? []
  return { country, region, postalCode }
}

/** Where an order goes. `region`: a code of ISO 3166-2 without its country, such as `NY`; absent if it is not known. */
export interface Destination {
  country: string
  region?: string | undefined
  postalCode?: string | undefined
}

/** Returns the beginning of a postal code, without the code of its country before digits, such as `1010` for `LV1010`. */
function toPrefix(country: string, text: string): string {
  const plain = toPlainCode(text)
  return plain.startsWith(country) && !/^[A-Z]/.test(plain.slice(2)) ? plain.slice(2) : plain
}

/** Some buyers write a country or a state before the code: `E-35001`, `TX 78701`, `GB-BT1 5GS`. Returns all readings. */
function listPostalCodes(text: string): string[] {
  const capitals = text.normalize('NFKC').toUpperCase()
  const withoutWords = capitals.replace(/^(?:[^A-Z0-9]*[A-Z]+(?![A-Z0-9]))+/, '')
  const fromDigit = capitals.replace(/^[^0-9]+/, '')
  return [capitals, withoutWords, fromDigit].map(toPlainCode)
}

/** Returns a place in a territory as one in the United States: `US-PR` for `PR`, `US 009` for `PR 009`. */
export function toRatedPlace(place: string): string {
  const country = place.slice(0, 2)
  if (!isTerritory(country)) return place
  return place === country ? `US-${country}` : `US${place.slice(2)}`
}

/** Returns one text for all spellings of a place: `US-PR` for `PR`, `FR 75` for `FR FR75`. */
export function normalizePlace(place: string): string {
  const rated = toRatedPlace(place)
  if (rated[2] !== ' ') return rated
  const country = rated.slice(0, 2)
  return `${country} ${toPrefix(country, rated.slice(3))}`.trim()
}

/**
 * Returns how specific a place is for a destination, which is not a territory; null if the destination is elsewhere. `null`:
 * everywhere.
 */
export function matchPlace(
  place: string | null,
  { country, region, postalCode = '' }: Destination,
): number | null {
  if (place === null) return 0
  const rated = toRatedPlace(place)
  if (!rated.startsWith(country)) return null
  const rest = rated.slice(2)
  if (rest === '') return 1
  if (rest.startsWith('-')) return rest.slice(1) === region ? 2 : null
  const prefix = toPrefix(country, rest)
  return listPostalCodes(postalCode).some((code) => code.startsWith(prefix)) ? 2 + prefix.length : null
}

/** Whether a place needs the region or the postal code of a country, and the destination has neither or not this one. */
export function isIncomplete(places: string[], { country, region, postalCode }: Destination): boolean {
  const own = places.map(toRatedPlace).filter((place) => place.startsWith(country))
  return (
    (own.some((place) => place[2] === '-') && !region) ||
    (own.some((place) => place[2] === ' ') && !postalCode)
  )
}

/**
 * Whether the tax of a pickup may be another one, because tax rates name a region or a postal code that its place lacks. The
 * region of a postal code is known.
 */
export function isIncompletePickup(pickupPlace: string, taxPlaces: string[]): boolean {
  const { region, ...rest } = toPickupDestination(pickupPlace)
  return isIncomplete(taxPlaces, { ...rest, region: region ?? rest.postalCode })
}
