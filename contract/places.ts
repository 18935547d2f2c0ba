/**
 * A place of a shipping or tax rate: a country, a region, or the beginning of a postal code: `US`, `US-NY`, `US 100`.
 */
export const placePattern = /^[A-Z]{2}(?:-[A-Z0-9]{1,3}| [A-Z0-9]{1,10})?$/

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
