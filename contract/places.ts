import * as z from 'zod/mini'

const placeField = (pattern: RegExp, message: string) =>
  z.string(message).check(z.trim(), z.toUpperCase(), z.regex(pattern, message))

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

/** Postal codes are compared without spaces and dashes, in upper case. */
const normalizePostalCode = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

/** Returns how specific a place is for this destination; null if the destination is elsewhere. `null`: everywhere. */
export function matchPlace(
  place: string | null,
  { country, region, postalCode = '' }: Destination,
): number | null {
  if (place === null) return 0
  if (!place.startsWith(country)) return null
  const rest = place.slice(2)
  if (rest === '') return 1
  if (rest.startsWith('-')) return rest.slice(1) === region ? 2 : null
  const prefix = rest.slice(1)
  return normalizePostalCode(postalCode).startsWith(prefix) ? 2 + prefix.length : null
}
