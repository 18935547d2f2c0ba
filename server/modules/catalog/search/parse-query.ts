import { type Kysely, sql } from 'kysely'
import type { Chosen } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { nearestWords } from '../../../platform/spelling.ts'
import { type Condition, matchesNothing } from './filters.ts'
import { readTerms, shippedWords, type Term } from './synonyms.ts'
import type { ParsedQuery } from './types.ts'

/** Reads the terms of a text, each with its synonyms. */
export async function parseTerms(db: Kysely<Database>, terms: Term[], partNumber = ''): Promise<ParsedQuery> {
  const { rows } = await sql<{ query: string }>`
    select (${sql.join(terms.map(toTermQuery), sql` && `)})::text as query`.execute(db)
  return withFacets(db, rows[0]?.query || matchesNothing, partNumber)
}

/** A typed word may be incomplete; a phrase with synonyms is not. An empty query leaves the others as they are. */
function toTermQuery({ text, others }: Term): Condition {
  const isWhole = others.length > 0 && text.includes(' ')
  const typed = isWhole ? toWholeWords(text) : sql`coalesce(search_query(${text}), '')`
  return sql`(${sql.join([typed, ...others.map(toWholeWords)], sql` || `)})`
}

const toWholeWords = (phrase: string) => sql`plainto_tsquery('public.catalog', plain_words(${phrase}))`

/** Finds the kinds and brands that have all words of the query, in one product or in several. */
async function withFacets(db: Kysely<Database>, query: string, partNumber: string): Promise<ParsedQuery> {
  // Postgres searches some input, such as '5e3x', as adjacent words. facet_lexemes has no positions.
  const anywhere = query.replaceAll(/<(?:-|\d+)>/g, '&')
  const lexemes = readLexemes(anywhere)
  const { rows } = await sql<{ facet: 'kind' | 'brand'; value: string }>`
    select facet, value from (
      select facet, value, array_to_tsvector(array_agg(lexeme)) as document
      from unnest(${lexemes.map(({ first }) => first)}::text[], ${lexemes.map(({ last }) => last)}::text[])
        as wanted (first, last), facet_lexemes
      where lexeme between first and last group by facet, value
    ) as facets where document @@ ${anywhere}::tsquery`.execute(db)
  const toValues = (name: string) => rows.filter(({ facet }) => facet === name).map(({ value }) => value)
  return { query, partNumber, facets: { kind: toValues('kind'), brand: toValues('brand') } }
}

/** The first and the last lexeme that each quoted one of a `tsquery` matches; a `:*` behind it marks a prefix. */
function readLexemes(query: string): { first: string; last: string }[] {
  return [...query.matchAll(/'((?:[^']|'')*)'(:\*)?/g)].map(([, text = '', star]) => {
    const first = text.replaceAll("''", "'").replaceAll('\\\\', '\\')
    return { first, last: star ? `${first}\u{10FFFF}` : first }
  })
}

/** Returns false if no product can match, so that the search can be skipped. */
export function canMatch({ facets, partNumber }: ParsedQuery, chosen: Chosen): boolean {
  if (partNumber !== '') return true
  return (['kind', 'brand'] as const).every((name) =>
    chosen[name]?.length
      ? chosen[name].some((value) => facets[name].includes(value))
      : facets[name].length > 0,
  )
}

/** Returns the input as a part number: letters and digits in upper case, with at least one digit. Else ''. */
export function toPartNumber(typed: string): string {
  const key = typed.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return /^[A-Z0-9]{3,40}$/.test(key) && /\d/.test(key) ? key : ''
}

/** Words of a search with their query. */
interface Corrected {
  words: ParsedQuery
  /** As a person would type it. */
  text: string
}

/**
 * Corrects the spelling: a word that the catalog does not have is replaced by the nearest words that it has. Terms with
 * synonyms are correct.
 *
 * @param names words that are right although no product has them, such as the name of a model
 * @returns null if no word is near
 */
export async function correctSpelling(
  db: Kysely<Database>,
  terms: Term[],
  names: ReadonlySet<string>,
): Promise<Corrected | null> {
  const corrected = await Promise.all(terms.map((term) => correctTerm(db, term, names)))
  if (corrected.every(({ isCorrect }) => isCorrect)) return null
  const { rows } = await sql<{ query: string }>`
    select (${sql.join(
      corrected.map(({ query }) => query),
      sql` && `,
    )})::text as query`.execute(db)
  return {
    words: await withFacets(db, rows[0]?.query || matchesNothing, ''),
    text: corrected.map(({ text }) => text).join(' '),
  }
}

async function correctTerm(db: Kysely<Database>, term: Term, names: ReadonlySet<string>) {
  if (term.others.length > 0) return { isCorrect: true, query: toTermQuery(term), text: term.text }
  const similar = await findSimilarWords(db, term.text)
  // A term of signs or of a long word has no words to correct.
  if (similar.length === 0) return { isCorrect: true, query: toTermQuery(term), text: term.text }
  const words = similar.map(({ typed, known }) => ({
    typed,
    // Another number is another size or part number.
    near: names.has(typed) || /\d/.test(typed) ? [] : nearestWords(typed, [...known, ...shippedWords]),
  }))
  return {
    isCorrect: words.every(({ typed, near }) => near.length === 0 || near.includes(typed)),
    query: sql`(${sql.join(words.map(toNearQuery), sql` && `)})`,
    text: words.map(({ typed, near }) => near[0] ?? typed).join(' '),
  }
}

/** A correct word gets no alternatives: they would make the index search three times slower. */
function toNearQuery({ typed, near }: { typed: string; near: string[] }): Condition {
  const [synonym] = near.flatMap((word) => readTerms(word)).filter(({ others }) => others.length > 0)
  if (synonym) return toTermQuery(synonym)
  const query = near.includes(typed) ? typed : [`${typed}:*`, ...near].join(' | ')
  return sql`to_tsquery('public.catalog', ${query})`
}

/** The typed words without accents, each with up to 1,050 words of the catalog that are similar. */
async function findSimilarWords(
  db: Kysely<Database>,
  typed: string,
): Promise<{ typed: string; known: string[] }[]> {
  const { rows } = await sql<{ typed: string; known: string[] }>`
    select typed, array(
      (select word from product_words where word % typed order by similarity(word, typed) desc limit 50)
      union
      (select word from product_words
        where word >= left(typed, 1) and word < left(typed, 1) || U&'\\+10FFFF'
          and length(word) between length(typed) - 2 and length(typed) + 2
        limit 1000)
    ) as known
    from string_to_table(trim(plain_words(${typed})), ' ') with ordinality as words (typed, place)
    where place <= 10 and length(typed) <= 40
    order by place`.execute(db)
  return rows
}
