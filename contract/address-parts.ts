import * as z from 'zod/mini'
import type { Address } from './addresses.ts'

const toSet = (codes: string): ReadonlySet<string> => new Set(codes.split(/\s+/))

/** Countries whose addresses need a postal code: those of Google's address metadata, and the European Union. */
const withPostalCode =
  toSet(`AS AT AU AX BE BG BL BR CA CH CN CY CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HR
  HU IM IN IO IT JE JP KR LI LT LU LV MC MF MH MP MQ MT MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SI SJ
  SK SM TC TR TW UA US VI WF YT ZA`)

/** Countries without postal codes, by the Universal Postal Union. */
const withoutPostalCode =
  toSet(`AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK KI
  KM KN ML MO MR MW NR NU QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TV UG VU YE ZW`)

/** Countries whose addresses need a state or region, by Google's address metadata. */
const withRegion = toSet('AU BR CA CN ES IN IT JP KR US')

/** Whether the addresses of a country have a postal code, and which parts they need. */
export const describeParts = (country: string) => ({
  hasPostalCode: !withoutPostalCode.has(country),
  needsPostalCode: withPostalCode.has(country),
  needsRegion: withRegion.has(country),
})

type Part = 'country' | 'region' | 'postalCode'

/** The countries that the shop serves; null: all. */
export type Served = readonly string[] | null

/**
 * Returns why an order cannot be sent to an address, by the part with the problem; empty if it can.
 */
export function findAddressProblems(
  { country, region, postalCode }: Pick<Address, Part>,
  served: Served,
): Partial<Record<Part, string>> {
  if (served && !served.includes(country)) return { country: 'We do not deliver to this country' }
  const { needsPostalCode, needsRegion } = describeParts(country)
  return {
    ...(needsRegion && !region && { region: 'State or region is required' }),
    ...(needsPostalCode && !postalCode && { postalCode: 'Postal code is required' }),
  }
}

/** A check of a form: the address has the parts that its country needs, and the shop serves the country. */
export const checkAddress = (served: Served) =>
  z.check<Pick<Address, Part>>(({ value, issues }) => {
    for (const [part, message] of Object.entries(findAddressProblems(value, served)))
      issues.push({ code: 'custom', input: value, path: [part], message })
  })
