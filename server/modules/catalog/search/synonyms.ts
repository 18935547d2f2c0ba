import { type Kysely, sql } from 'kysely'
import { maxPhraseWords } from '../../../../contract/synonyms.ts'
import type { Database } from '../../../../db/schema.ts'
import { synonymGroups } from './synonym-groups.ts'

/** Words of a search text, with other words for the same thing. */
export interface Term {
  text: string
  others: string[]
}

/** As many words as `search_query` reads. */
export const maxWords = 10

/** The form in which phrases are compared: lower case, without accents, signs, spaces and the `s` of a plural. */
export const toSynonymKey = (phrase: string): string =>
  phrase
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=..[^s])s$/, '')

/** The phrases of all groups that have a phrase, by its key. */
export type Groups = ReadonlyMap<string, string[]>

const toGroups = (groups: readonly (readonly string[])[]): Groups => {
  const all = new Map<string, string[]>()
  for (const phrases of groups) {
    for (const phrase of phrases) {
      const key = toSynonymKey(phrase)
      all.set(key, [...(all.get(key) ?? []), ...phrases])
    }
  }
  return all
}

const shipped = toGroups(synonymGroups)

/** The single words among the synonyms of the shop. Their spelling is correct although no product may have them. */
export const shippedWords = synonymGroups.flat().filter((phrase) => /^[a-z]+$/.test(phrase))

/**
 * Splits a search text at the phrases that have synonyms. A text without any is one term.
 *
 * @param added the groups that admins have added
 */
export function readTerms(typed: string, added: Groups = new Map()): Term[] {
  const words = typed.trim().split(/\s+/).slice(0, maxWords)
  const terms: Term[] = []
  let plain: string[] = []
  const endPlain = () => {
    if (plain.length > 0) terms.push({ text: plain.join(' '), others: [] })
    plain = []
  }
  for (let from = 0; from < words.length; ) {
    const found = findPhrase(words.slice(from), added)
    if (found) {
      endPlain()
      if (!terms.some((term) => isSameTerm(term, found.term))) terms.push(found.term)
      from += found.length
    } else {
      plain.push(words[from] ?? '')
      from += 1
    }
  }
  if (terms.length === 0) return [{ text: typed, others: [] }]
  endPlain()
  return terms
}

/**
 * Whether two terms have the same synonyms. A second one would not change the hits, but `ts_rank` gives no rank to
 * a product that has only one word for both.
 */
const isSameTerm = (one: Term, other: Term) => toPhrases(one) === toPhrases(other)
const toPhrases = ({ text, others }: Term) =>
  [text, ...others]
    .map((phrase) => phrase.toLowerCase())
    .toSorted()
    .join('|')

/** Finds the longest phrase with synonyms at the start of the words. */
function findPhrase(words: string[], added: Groups): { term: Term; length: number } | null {
  for (let length = Math.min(maxPhraseWords, words.length); length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ')
    const key = toSynonymKey(text)
    const phrases = [...listTyreSizes(text), ...(shipped.get(key) ?? []), ...(added.get(key) ?? [])]
    // Joined words, such as `brakepads`, need the same phrase with its spaces.
    const others = [...new Set(phrases)].filter((phrase) => phrase.toLowerCase() !== text.toLowerCase())
    if (others.length > 0) return { term: { text, others }, length }
  }
  return null
}

/** Lists the forms of a tyre size such as `180/55 ZR17`, `180/55-17` or `180 55 17`. Products may have any of them. */
function listTyreSizes(text: string): string[] {
  const [size, width, height, rim] =
    /^(\d{2,3})[ /-](\d{2,3})(?:[ /-]|[ /-]?(?:ZR|R|B)[ -]?)(\d\d)$/i.exec(text) ?? []
  const types = ['-', ' ZR', 'ZR', ' R', 'R', ' B', 'B']
  return size ? types.map((type) => `${width}/${height}${type}${rim}`) : []
}

let last: { text: string; groups: Groups } = { text: '[]', groups: new Map() }

/** Reads the groups that admins have added. Their keys are computed when they change: 2,500 phrases take 6 ms. */
export async function readAddedGroups(db: Kysely<Database>): Promise<Groups> {
  const { rows } = await sql<{
    text: string | null
  }>`select json_agg(phrases)::text as text from synonyms`.execute(db)
  const text = rows[0]?.text ?? '[]'
  if (text !== last.text) last = { text, groups: toGroups(JSON.parse(text) as string[][]) }
  return last.groups
}

/** Returns the words that have no synonyms. */
export async function withoutSynonyms(db: Kysely<Database>, words: string[]): Promise<string[]> {
  const added = await readAddedGroups(db)
  return words.filter((word) => findPhrase([word], added) === null)
}
