import { isTerritory, toPlainCode } from '../../../contract/address-rules.ts'
import type { Destination } from '../../../contract/places.ts'
import { findRegion, listRegions } from '../../../contract/regions.ts'

/**
 * The beginnings of the postal codes of each region: of the United States by USPS labeling list L002, with the post offices
 * that differ from it, and of Canada by the first characters of the codes of Canada Post. The longest one applies.
 */
const postalCodes: Record<string, string> = {
  US: `AA 340|AE 090-098|AK 995-999|AL 350-352 354-369|AP 962-966|AR 716-729|AS 96799|AZ 850-865|CA 900-961
    |CO 800-816|CT 060-069|DC 200 202-205 569|DE 197-199|FL 320-339 341-349|GA 300-319 398-399|GU 969|HI 967-968
    |IA 500-528|ID 832-838|IL 600-629|IN 460-479|KS 660-679|KY 400-427|LA 700-714|MA 010-027 055|MD 206-219
    |ME 039-049|MI 480-499|MN 550-567|MO 630-658|MP 96950 96951 96952|MS 386-397|MT 590-599|NC 270-289|ND 580-588
    |NE 680-693|NH 030-038|NJ 070-089|NM 870-884|NV 889-898|NY 005 06390 100-149|OH 430-459|OK 730-731 734-749
    |OR 970-979|PA 150-196|PR 006-007 009|RI 028-029|SC 290-299|SD 570-577|TN 370-385|TX 733 750-799 885|UT 840-847
    |VA 201 220-246|VI 008|VT 050-054 056-059|WA 980-994|WI 530-549|WV 247-268|WY 820-831 83414`,
  CA: `AB T|BC V|MB R|NB E|NL A|NS B|NT X|NU X0A X0B X0C|ON K-N P|PE C|QC G-J|SK S|YT Y`,
}
/** Ranges of one length do not overlap. */
export const postalRanges = Object.entries(postalCodes).flatMap(([country, text]) =>
  text.split('|').flatMap((each) => {
    const [region = '', ...own] = each.trim().split(' ')
    return own.map((range) => {
      const [from = '', to = from] = range.split('-')
      return { country, region, from, to }
    })
  }),
)
const patterns: Record<string, RegExp> = { US: /\d{5}/, CA: /[A-Z]\d[A-Z]/ }

/** Returns the code of the region that a postal code is in; undefined without a list for its country, or if it is not in the list. */
function findPostalRegion(country: string, text = ''): string | undefined {
  const code = patterns[country]?.exec(toPlainCode(text))?.[0]
  if (!code) return undefined
  const found = postalRanges.filter(({ from, to, ...range }) => {
    const beginning = code.slice(0, from.length)
    return range.country === country && from <= beginning && beginning <= to
  })
  return found.toSorted((one, other) => other.from.length - one.from.length)[0]?.region
}

/**
 * Returns where an order goes. In a country with a list, a region has its code or its name; an unknown one counts as missing.
 * Carriers deliver by the postal code, so its region counts and not the chosen one: otherwise a tax or a surcharge of a region
 * could be avoided. A territory of the United States is one of its regions, like the places of rates.
 */
export function toDestination({ country: typed, region, postalCode }: Destination): Destination {
  const country = isTerritory(typed) ? 'US' : typed
  const named = isTerritory(typed) ? typed : region
  return {
    country,
    region:
      listRegions(country).length > 0
        ? (findPostalRegion(country, postalCode) ?? findRegion(country, named)?.code)
        : named?.toUpperCase(),
    postalCode: postalCode || undefined,
  }
}
