import type { Kysely } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import type { Words } from '../filters/queries.ts'
import { findAlike, readQuery, stemQuery } from './queries.ts'
import { nearestWords } from './spelling.ts'

/** Nothing has this word: what is typed has no letter and no digit in it. */
const noWord = "':nothing'"

/** What somebody typed; null where that is nothing at all. */
export async function readWords(db: Kysely<Database>, typed = ''): Promise<Words | null> {
  if (typed.trim() === '') return null
  return { query: (await readQuery(db, typed)) ?? noWord, partNumber: asPartNumber(typed) }
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
export async function correctWords(
  db: Kysely<Database>,
  typed: string,
): Promise<{ words: Words; searchedFor: string } | null> {
  const alike = await findAlike(db, typed)
  const corrected = alike.map(({ typed, known }) => ({ typed, near: nearestWords(typed, known) }))
  if (corrected.every(({ typed, near }) => near.length === 0 || near.includes(typed))) return null
  // Of several words those that are right stay as they are: to look for either of two takes an index three times as long.
  const query = corrected
    .map(({ typed, near }) => (near.includes(typed) ? typed : `(${[`${typed}:*`, ...near].join(' | ')})`))
    .join(' & ')
  return {
    words: { query: await stemQuery(db, query), partNumber: '' },
    searchedFor: corrected.map(({ typed, near }) => near[0] ?? typed).join(' '),
  }
}
