import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import { findKnownWords, quietWords } from '../../bikes/service.ts'
import { isSold } from '../sold.ts'
import { type Condition, hasExactNumber, matchesNothing } from './filters.ts'
import { correctSpelling, parseTerms, toPartNumber } from './parse-query.ts'
import { hasSize, isSized, type NamedSize, readSize } from './sizes.ts'
import { type Groups, maxWords, readTerms, type Term, toSynonymKey } from './synonyms.ts'
import type { ParsedQuery } from './types.ts'

/** Another way to read a search text that matches nothing as it is. */
interface OtherReading {
  /** Null: no word is left. */
  words: ParsedQuery | null
  narrowing?: Condition
  /** For the page. */
  notes: ReadingNotes
  /** No other reading follows, even if the filters exclude all products of this one. */
  isLast?: boolean
}

export interface ReadingNotes {
  /** The words that were searched instead of the typed ones. */
  searchedFor?: string
  /** The size that the hits have. */
  size?: string
  /** The size that no hit has. */
  missingSize?: string
  /** Typed words that the catalog does not have. */
  unknown?: string[]
}

interface Reader {
  db: Kysely<Database>
  typed: string
  terms: Term[]
  synonyms: Groups
  /** Counts the products with these words, without any filter. */
  count: (words: ParsedQuery) => Promise<number>
}

/** Whether words may be dropped; all of them only if the search has another condition. */
type Drop = 'none' | 'some' | 'all'

/**
 * Reads a text that matches nothing in other ways, the nearest first: with only its part number, with numbers apart from
 * their units, with a size, with corrected spelling, and with fewer words. Words that the catalog does not have are dropped
 * first, then corrected ones, then the words that most products have, and words of a kind of part last.
 */
export async function* readOtherwise(reader: Reader, drop: Drop): AsyncGenerator<OtherReading> {
  const { db, typed, terms, synonyms } = reader
  const number = drop === 'none' ? null : await findNumber(db, typed)
  if (number) {
    // A number of the shop is not dropped as an unknown word, even if its product does not fit the bike.
    yield { ...number, isLast: true }
    return
  }
  // Another spelling of a quiet word would be a word about a part, such as belt instead of best.
  const names = (await findKnownWords(db, listWords(typed))).union(quietWords)
  const apart = typed.replaceAll(/(?<=\d)(?=\p{L})/gu, ' ')
  if (apart !== typed) yield { words: await parseTerms(db, readTerms(apart, synonyms)), notes: {} }
  const size = readSize(typed)
  if (size) {
    const sizedTerms = readTerms(size.rest, synonyms)
    const words = await parseTerms(db, sizedTerms)
    const narrowing = await hasSize(db, size)
    yield { words, narrowing, notes: { size: size.name } }
    if (drop !== 'none') yield* readWithout(reader, { size, narrowing }, sizedTerms, words, names)
  }
  const corrected = await correctSpelling(db, terms, names)
  if (corrected) yield { words: corrected.words, notes: { searchedFor: corrected.text } }
  if (drop !== 'none') yield* dropWords(reader, terms, names, drop)
}

/** A shorter word beside others is a size or a model rather than a part number. */
const minNumberLength = 5

/** Finds the first word that is exactly the number of a product, as in a text from an invoice. */
async function findNumber(db: Kysely<Database>, typed: string): Promise<OtherReading | null> {
  const words = typed.trim().split(/\s+/).slice(0, maxWords)
  if (words.length < 2) return null
  for (const word of words) {
    const number = toPartNumber(word)
    if (number.length < minNumberLength) continue
    const { rows } = await sql`
      select from products where ${isSold} and ${hasExactNumber(number)} limit 1`.execute(db)
    if (rows.length === 0) continue
    const text = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    return { words: await parseTerms(db, [{ text, others: [] }], number), notes: { searchedFor: text } }
  }
  return null
}

/** Reads a text without its size, if products have the other words. If words are dropped too, the hits must have sizes. */
async function* readWithout(
  reader: Reader,
  { size, narrowing }: { size: NamedSize; narrowing: Condition },
  terms: Term[],
  words: ParsedQuery,
  names: ReadonlySet<string>,
): AsyncGenerator<OtherReading> {
  if ((await reader.count(words)) > 0) {
    yield { words, notes: { missingSize: size.name, searchedFor: size.rest } }
    return
  }
  const readings: OtherReading[] = []
  for await (const fewer of dropWords(reader, terms, names, 'some')) {
    readings.push(fewer)
    yield { ...fewer, narrowing, notes: { ...fewer.notes, size: size.name } }
  }
  for (const { words, notes } of readings) {
    yield { words, narrowing: isSized, notes: { searchedFor: notes.searchedFor, missingSize: size.name } }
  }
}

const listWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2 * maxWords)

/** Whether a word is dropped without a note. Unlike the others, set and kit are searched beside a bike. */
const isQuiet = (text: string) =>
  quietWords.has(text.toLowerCase()) || /^(?:set|kit|['’]?(?:(?:19|20)\d\d|\d\d))$/i.test(text)

interface CountedTerm {
  term: Term
  /** The words that are searched; others than typed if the spelling was corrected. */
  text: string
  words: ParsedQuery
  products: number
  isKind: boolean
}

async function* dropWords(
  reader: Reader,
  terms: Term[],
  names: ReadonlySet<string>,
  drop: Drop,
): AsyncGenerator<OtherReading> {
  const single = (await Promise.all(terms.map((term) => splitTerm(reader, term)))).flat()
  if (single.length < 2 && drop !== 'all') return
  const counted = await Promise.all(single.map((term) => countTerm(reader, term, names)))
  const kept = counted.filter(({ products }) => products > 0)
  const unknown = counted.flatMap(({ term, products }) =>
    products === 0 && !isQuiet(term.text) ? [term.text] : [],
  )
  while (kept.length > 0) {
    yield {
      words: kept.map(({ words }) => words).reduce(both),
      notes: { searchedFor: kept.map(({ text }) => text).join(' '), unknown },
    }
    const [next] = kept.toSorted(
      (a, b) =>
        Number(a.isKind) - Number(b.isKind) ||
        Number(isCorrected(b)) - Number(isCorrected(a)) ||
        b.products - a.products,
    )
    kept.splice(kept.indexOf(next as CountedTerm), 1)
  }
  if (drop === 'all') yield { words: null, notes: { searchedFor: '', unknown } }
}

/** A phrase with synonyms stays whole if products have it. */
async function splitTerm({ db, synonyms, count }: Reader, term: Term): Promise<Term[]> {
  const words = term.text.split(/\s+/)
  if (words.length === 1) return [term]
  const isPhrase = term.others.length > 0 && (await count(await parseTerms(db, [term]))) > 0
  return isPhrase ? [term] : words.flatMap((word) => readTerms(word, synonyms))
}

const isCorrected = ({ term, text }: CountedTerm) => text !== term.text

/** Whether the words are in the name of a kind of part, or contain it, such as `fork oil`. They are dropped last. */
const isKind = ({ text, others }: Term, { facets }: ParsedQuery) => {
  const phrases = [text, ...others].map(toSynonymKey)
  return facets.kind
    .map(toSynonymKey)
    .some((kind) => kind !== '' && phrases.some((phrase) => kind.includes(phrase) || phrase.includes(kind)))
}

async function countTerm(reader: Reader, term: Term, names: ReadonlySet<string>): Promise<CountedTerm> {
  const words = await parseTerms(reader.db, [term])
  const products = words.query === matchesNothing || isQuiet(term.text) ? 0 : await reader.count(words)
  const counted = { term, text: term.text, words, products, isKind: isKind(term, words) }
  if (products > 0) return counted
  const corrected = await correctSpelling(reader.db, [term], names)
  if (!corrected) return counted
  const { text } = corrected
  return {
    term,
    ...corrected,
    products: await reader.count(corrected.words),
    isKind: isKind({ text, others: [] }, corrected.words),
  }
}

/** Products with both. The facets of one word are a superset. */
const both = (one: ParsedQuery, other: ParsedQuery): ParsedQuery => ({
  query: `(${one.query}) & (${other.query})`,
  partNumber: '',
  facets: {
    kind: one.facets.kind.filter((kind) => other.facets.kind.includes(kind)),
    brand: one.facets.brand.filter((brand) => other.facets.brand.includes(brand)),
  },
})
