import type { Kysely } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { Filters, ParsedQuery } from './filters.ts'
import { type Facet, findAlike, findFacets, readQuery, stemQuery } from './query-terms.ts'
import { nearestWords } from './spelling.ts'

/** Nothing has this word: what is typed has no letter and no digit in it. */
const noWord = "':nothing'"

/** ParsedQuery, and where they stand. */
export interface Search extends ParsedQuery {
  /** The kinds, and the brands, of which some product may have them; '' for products without one. */
  among: Record<Facet, string[]>
}

/** What somebody typed; null where that is nothing at all. */
export async function readWords(db: Kysely<Database>, typed = ''): Promise<Search | null> {
  if (typed.trim() === '') return null
  return locate(db, { query: (await readQuery(db, typed)) ?? noWord, partNumber: asPartNumber(typed) })
}

/** What Postgres takes apart, as '5e3x', it looks for side by side; here it is known only which words there are. */
const sideBySide = /<(?:-|\d+)>/g

async function locate(db: Kysely<Database>, words: ParsedQuery): Promise<Search> {
  const query = words.query.replaceAll(sideBySide, '&')
  const found = await findFacets(db, query, lexemesOf(query))
  const valuesOf = (facet: Facet) => found.filter((one) => one.facet === facet).map(({ value }) => value)
  return { ...words, among: { kind: valuesOf('kind'), brand: valuesOf('brand') } }
}

/** What stands in quotes in the text of a `tsquery`, and whether it is only the beginning of a word. */
function lexemesOf(query: string): { lexeme: string; isBeginning: boolean }[] {
  const quoted = query.matchAll(/'((?:[^']|'')*)'(:\*)?/g)
  return [...quoted].map(([, text = '', star]) => ({
    lexeme: text.replaceAll("''", "'").replaceAll('\\\\', '\\'),
    isBeginning: star !== undefined,
  }))
}

/** Whether there may be such products: where it is known that there are none, nothing needs to be looked for. */
export function mayFind({ among, partNumber }: Search, { kind, brand }: Filters): boolean {
  if (partNumber !== '') return true
  const isAmong = (facet: Facet, value: string | undefined) =>
    value === undefined ? among[facet].length > 0 : among[facet].includes(value)
  return isAmong('kind', kind) && isAmong('brand', brand)
}

/** A part number has a digit, and nothing but letters and digits beside what parts them. */
function asPartNumber(typed: string): string {
  const key = typed.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return /^[A-Z0-9]{3,40}$/.test(key) && /\d/.test(key) ? key : ''
}

/**
 * What somebody may have meant: each word may also be one of those of the catalogue that come nearest to it.
 *
 * @returns the words to search by, and as a person would have typed them; null where no word comes near
 */
export async function correctSpelling(
  db: Kysely<Database>,
  typed: string,
): Promise<{ words: Search; searchedFor: string } | null> {
  const alike = await findAlike(db, typed)
  const corrected = alike.map(({ typed, known }) => ({ typed, near: nearestWords(typed, known) }))
  if (corrected.every(({ typed, near }) => near.length === 0 || near.includes(typed))) return null
  // Of several words those that are right stay as they are: to look for either of two takes an index three times as long.
  const query = corrected
    .map(({ typed, near }) => (near.includes(typed) ? typed : `(${[`${typed}:*`, ...near].join(' | ')})`))
    .join(' & ')
  return {
    words: await locate(db, { query: await stemQuery(db, query), partNumber: '' }),
    searchedFor: corrected.map(({ typed, near }) => near[0] ?? typed).join(' '),
  }
}
