import type { Address } from './addresses.ts'

// Without schemas: pages that show an address do not load them.

/**
 * ISO 3166-1 alpha-2: all officially assigned codes. Their names come from `Intl.DisplayNames`. `+`: addresses need a postal
 * code, by Google's address metadata or as in all of the European Union. `*`: they need a state or region, by the same
 * metadata. `-`: there are no postal codes, by the Universal Postal Union.
 */
const marked = `
  AD AE- AF AG- AI AL AM AO- AQ AR AS+ AT+ AU+* AW- AX+ AZ BA BB BD BE+ BF- BG+ BH BI- BJ- BL+ BM BN BO- BQ-
  BR+* BS- BT BV BW- BY BZ- CA+* CC CD- CF- CG- CH+ CI- CK- CL CM- CN+* CO CR CU CV CW- CX CY+ CZ+ DE+ DJ- DK+
  DM- DO DZ EC EE+ EG EH ER- ES+* ET FI+ FJ- FK+ FM+ FO FR+ GA- GB+ GD- GE GF+ GG+ GH GI GL+ GM- GN GP+ GQ- GR+
  GS+ GT GU+ GW GY- HK- HM HN HR+ HT HU+ ID IE IL IM+ IN+* IO+ IQ IR IS IT+* JE+ JM JO JP+* KE KG KH KI- KM- KN-
  KP KR+* KW KY KZ LA LB LC LI+ LK LR LS LT+ LU+ LV+ LY MA MC+ MD ME MF+ MG MH+ MK ML- MM MN MO- MP+ MQ+ MR- MS
  MT+ MU MV MW- MX+ MY+ MZ NA NC+ NE NF NG NI NL+ NO+ NP NR- NU- NZ+ OM PA PE PF+ PG PH PK PL+ PM+ PN+ PR+ PS
  PT+ PW+ PY QA- RE+ RO+ RS RU+ RW- SA SB- SC- SD SE+ SG+ SH+ SI+ SJ+ SK+ SL- SM+ SN SO SR- SS- ST- SV SX- SY-
  SZ TC+ TD- TF- TG- TH TJ TK- TL- TM TN TO- TR+ TT TV- TW+ TZ UA+ UG- UM US+* UY UZ VA VC VE VG VI+ VN VU- WF+
  WS YE- YT+ ZA+ ZM ZW-`
  .trim()
  .split(/\s+/)
const marks = new Map(marked.map((text) => [text.slice(0, 2), text.slice(2)]))
export const countryCodes: readonly string[] = [...marks.keys()]

let names: Intl.DisplayNames | undefined

/** Returns the English name of a country. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region' })
  return names.of(code) ?? code
}

/** Returns the lines of an address without name and phone, in the order of the form. */
export function addressLines({
  line1,
  line2,
  city,
  region,
  postalCode,
  country,
}: Omit<Address, 'name' | 'phone'>): string[] {
  const place = [region ? `${city}, ${region}` : city, postalCode].filter(Boolean).join(' ')
  return [line1, line2 ?? '', place, countryName(country)].filter((line) => line !== '')
}

/** Returns an address as one line: the shipping address of an order. It fits into its 500 characters. */
export const formatAddress = (address: Address): string => addressLines(address).join(', ')

/** Whether the addresses of a country have a postal code, and which parts they need. */
export function describeParts(country: string) {
  const mark = marks.get(country) ?? ''
  return {
    hasPostalCode: !mark.includes('-'),
    needsPostalCode: mark.includes('+'),
    needsRegion: mark.includes('*'),
  }
}

/** Letters and digits of other alphabets would match no rate of a postal code. Full-width ones count as plain. */
const hasOtherLetters = (text = '') => /(?![A-Z0-9])[\p{L}\p{N}]/iu.test(text.normalize('NFKC'))

/** Postal codes are compared as plain capital letters and digits. */
export const toPlainCode = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')

/** Territories that addresses name as a country or as a region of the United States. */
const territories = ['AS', 'GU', 'MP', 'PR', 'VI']

export const isTerritory = (country: string): boolean => territories.includes(country)

/** A state before the code does not matter: `TX 78701`. */
const zipCode = { pattern: /^[A-Z]*\d{5}(?:\d{4})?$/, error: 'Use five digits, such as 97201' }
/**
 * Plain postal codes of the countries whose regions have rates, see `toDestination`: a code in another form has no region,
 * so it would avoid the tax of its region.
 */
const codeForms: Record<string, { pattern: RegExp; error: string }> = {
  US: zipCode,
  ...Object.fromEntries(territories.map((code) => [code, zipCode])),
  CA: {
    pattern: /^[A-Z]*[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z]\d[ABCEGHJ-NPRSTV-Z]\d$/,
    error: 'Use a code such as M5V 2T6',
  },
}

/** Returns what is wrong with a postal code; undefined if it is right or blank. */
export function findCodeError(country: string, code = ''): string | undefined {
  if (hasOtherLetters(code)) return 'Enter the postal code in plain letters and digits'
  const form = codeForms[country]
  return code && form && !form.pattern.test(toPlainCode(code)) ? form.error : undefined
}

export type AddressPart = 'country' | 'region' | 'postalCode'

/** The countries that the shop serves; null: all. */
export type Served = readonly string[] | null

/**
 * Returns why an order cannot be sent to an address, by the part with the problem; empty if it can.
 */
export function findAddressProblems(
  { country, region, postalCode }: Pick<Address, AddressPart>,
  served: Served,
): Partial<Record<AddressPart, string>> {
  if (served && !served.includes(country)) return { country: 'We do not deliver to this country' }
  const { needsPostalCode, needsRegion } = describeParts(country)
  const codeError =
    needsPostalCode && !postalCode ? 'Postal code is required' : findCodeError(country, postalCode)
  return {
    ...(needsRegion && !region && { region: 'State or region is required' }),
    ...(codeError && { postalCode: codeError }),
  }
}
