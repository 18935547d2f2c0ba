import { type Kysely, sql } from 'kysely'
import type { Attribute } from '../../../../contract/attributes.ts'
import type { ProductFacets, ProductQuery } from '../../../../contract/catalog.ts'
import { facetNames } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { toLimitOffset } from '../../../platform/http/paging.ts'
import { isSold } from '../sold.ts'
import { countAttributes } from './attributes.ts'
import { countFits, countFacets as countMatchFacets } from './facets.ts'
import {
  type ChosenTerms,
  type Condition,
  hasExactNumber,
  hasTerms,
  isSearch,
  type Match,
  toMatch,
  toTermsQuery,
} from './filters.ts'
import { findInLargeResult } from './large-results.ts'
import { findMisfits } from './misfits.ts'
import { type ReadingNotes, readOtherwise } from './other-readings.ts'
import { canMatch, parseTerms, toPartNumber } from './parse-query.ts'
import { hasMake, type MakeFilter } from './queries.ts'
import { findSampled, getScanOrder, type Part, sortHits } from './result-page.ts'
import { displayCount } from './sampling.ts'
import { readAddedGroups, readTerms } from './synonyms.ts'
import type { ChosenAttribute, ParsedQuery } from './types.ts'

export { countAny, findAny, readAnySearch } from './all-products.ts'
export { compactCounts } from './facets.ts'
export { synonymGroups } from './synonym-groups.ts'
export { withoutSynonyms } from './synonyms.ts'
export type { ChosenAttribute } from './types.ts'

/** Customers refine a longer result instead of reading all pages. */
const maxSearchResults = 2000
/** Lower bound for estimated totals, so that no linked page is empty. */
const minEstimateShare = 3 / 4
/** With fewer hits, all are read and sorted without an index scan. */
const minScanHits = 500

interface Hits {
  /** The ids of the page, sorted. */
  ids: string[]
  total: number
  /** There are too many hits to count them: `total` is an estimate. */
  estimated: boolean
}

interface SearchResult extends Hits, ReadingNotes {
  /** Number of hits that the pages can show. */
  reachableTotal: number
  /** The searched text as a part number; empty if it cannot be one. */
  partNumber: string
}

export interface SearchQuery extends Omit<ProductQuery, 'bike' | 'attribute'> {
  /** The bikes that a product must fit; several if the words named a model without a year. */
  bikes?: number[] | undefined
  /** The attributes of the chosen kind, and their chosen values. */
  attributes?: { defined: Attribute[]; chosen: ChosenAttribute[] } | undefined
  /** The make that the words name. */
  make?: MakeFilter | undefined
  /** The make whose products are left out. */
  notMake?: MakeFilter | undefined
  /** Whether words may be dropped if no product has all of them. */
  mayDrop?: boolean | undefined
}

/** Finds a page of the products that match the query. */
export async function searchProducts(db: Kysely<Database>, query: SearchQuery): Promise<SearchResult> {
  const { match } = readFilters(query)
  const { result, notes } = await readWords(db, query, (read) => findHits(db, query, { ...match, ...read }))
  return toResult(query, result, notes)
}

function toResult(query: SearchQuery, hits: Hits, notes: ReadingNotes): SearchResult {
  const { total, estimated } = hits
  const reachableTotal = estimated ? Math.min(maxSearchResults, Math.floor(total * minEstimateShare)) : total
  return { ...hits, ...notes, reachableTotal, partNumber: toPartNumber(notes.searchedFor ?? query.q ?? '') }
}

/**
 * Finds a page of the products that match the query, and counts the values of all facets among them. The words are read
 * once for both.
 *
 * @param readRows reads the products of the page, while the facets are counted
 */
export async function searchWithFacets<Rows>(
  db: Kysely<Database>,
  query: SearchQuery,
  readRows: (ids: string[], partNumber: string) => Promise<Rows>,
): Promise<{ page: SearchResult; rows: Rows; facets: ProductFacets }> {
  const { match } = readFilters(query)
  const { result, notes } = await readWords(db, query, async (read) => {
    const findPage = async () => {
      const hits = await findHits(db, query, { ...match, ...read })
      return { hits, rows: await readRows(hits.ids, read.words?.partNumber ?? '') }
    }
    const [page, facets] = await Promise.all([findPage(), countRead(db, query, read)])
    return { total: page.hits.total, ...page, facets }
  })
  return {
    page: toResult(query, result.hits, notes),
    rows: result.rows,
    facets: { ...result.facets, searchedFor: notes.searchedFor },
  }
}

/** Finds the first products that match the query except for the bikes, and fit none of them. */
export async function searchMisfits(
  db: Kysely<Database>,
  { q: typed = '', bikes = [], fit: _fit, make: _make, sort, attributes, ...chosen }: SearchQuery,
  limit: number,
): Promise<string[]> {
  const words =
    typed.trim() === ''
      ? null
      : await parseTerms(db, readTerms(typed, await readAddedGroups(db)), toPartNumber(typed))
  if (words && !canMatch(words, chosen)) return []
  return findMisfits(db, { chosen, words, fit: null, attributes: attributes?.chosen }, bikes, sort, limit)
}

/** Counts the values of all facets among the products that match the query. */
export async function countFacets(db: Kysely<Database>, query: SearchQuery): Promise<ProductFacets> {
  const { result, notes } = await readWords(db, query, (read) => countRead(db, query, read))
  return { ...result, searchedFor: notes.searchedFor }
}

async function countRead(db: Kysely<Database>, query: SearchQuery, read: Read): Promise<ProductFacets> {
  const { bikes = [], fit = [], attributes } = query
  const { chosen, match } = readFilters(query)
  const counting = countMatchFacets(db, { ...match, ...read })
  const isCounted = fit.length === 0
  const [{ hits, facets }, fits, ofKind] = await Promise.all([
    counting,
    bikes.length > 0
      ? countFits(
          db,
          { chosen, attributes: attributes?.chosen, ...read },
          bikes,
          isCounted ? counting.then((counts) => counts.hits) : undefined,
        )
      : undefined,
    attributes && countAttributes(db, { ...match, ...read }, attributes.defined),
  ])
  const total = displayCount(hits.count, hits.estimated)
  return { total, estimated: hits.estimated, facets, attributes: ofKind, fit: fits }
}

/** The conditions of a search without its words. */
function readFilters({ bikes = [], fit = [], attributes, ...chosen }: SearchQuery) {
  const match = { ...toMatch(chosen, { bikes, choices: fit }), attributes: attributes?.chosen }
  return { chosen, match }
}

/** The words of a search and its other conditions. */
type Read = Pick<Match, 'words' | 'narrowing'>

/** Searches the typed words. If they match nothing, reads them in other ways. */
async function readWords<Result extends { total: number }>(
  db: Kysely<Database>,
  query: SearchQuery,
  search: (read: Read) => Promise<Result>,
): Promise<{ result: Result; notes: ReadingNotes }> {
  const { q: typed = '', make, notMake, mayDrop = false } = query
  const ofMake = make ? hasMake(make) : notMake && sql`not (${hasMake(notMake)})`
  if (typed.trim() === '') return { result: await search({ words: null, narrowing: ofMake }), notes: {} }
  const synonyms = await readAddedGroups(db)
  const terms = readTerms(typed, synonyms)
  const words = await parseTerms(db, terms, toPartNumber(typed))
  const result = await search({ words, narrowing: ofMake })
  if (result.total > 0 || (await matchesUnfiltered(db, query, words))) return { result, notes: {} }
  const count = async (words: ParsedQuery) =>
    (await findHits(db, { pageSize: 1 }, { chosen: {}, words, fit: null })).total
  const drop = !mayDrop ? 'none' : query.bikes?.length ? 'all' : 'some'
  for await (const { words, narrowing, notes, isLast } of readOtherwise(
    { db, typed, terms, synonyms, count },
    drop,
  )) {
    const other = await search({ words, narrowing: allOf(ofMake, narrowing) })
    if (other.total > 0 || isLast) return { result: other, notes }
    if (drop === 'all' && words && (await matchesForAnyBike(db, query, { words, narrowing })))
      return { result: other, notes }
  }
  return { result, notes: {} }
}

const allOf = (one: Condition | undefined, other: Condition | undefined) =>
  one && other ? sql`${one} and ${other}` : (one ?? other)

/** Whether the words have matches that the filters exclude: then they are not misspelled. */
async function matchesUnfiltered(db: Kysely<Database>, query: SearchQuery, words: ParsedQuery) {
  const isFiltered =
    (['fit', ...facetNames] as const).some((name) => query[name]?.length) || query.attributes?.chosen.length
  if (!query.bikes?.length && !query.make && !isFiltered) return false
  return (await findHits(db, { pageSize: 1 }, { chosen: {}, words, fit: null })).total > 0
}

/** Whether gear or universal parts match. A list for a bike has them behind the parts that fit, if no fit is chosen. */
async function matchesForAnyBike(db: Kysely<Database>, query: SearchQuery, read: Read) {
  if (query.fit?.length) return false
  const chosen: ChosenTerms = { ...readFilters(query).chosen, fit: ['universal', 'gear'] }
  return (await findHits(db, { pageSize: 1 }, { chosen, fit: null, ...read })).total > 0
}

function findHits(db: Kysely<Database>, query: SearchQuery, match: Match): Promise<Hits> {
  const part = toLimitOffset(query)
  return isSearch(match)
    ? findSampledHits(db, query.sort, match, part)
    : findFilteredHits(db, query.sort, match, part)
}

/** Counts the products with the chosen filters exactly. */
export async function countProducts(db: Kysely<Database>, chosen: ChosenTerms): Promise<number> {
  const { rows } = await sql<{ products: number }>`
    select coalesce(sum(products), 0)::integer as products from product_counts where ${hasTerms(chosen)}`.execute(
    db,
  )
  return rows[0]?.products ?? 0
}

async function findFilteredHits(
  db: Kysely<Database>,
  sort: ProductQuery['sort'],
  match: Match,
  part: Part,
): Promise<Hits> {
  const total = await countProducts(db, match.chosen)
  const rest = Math.min(part.limit, total - part.offset)
  if (rest <= 0) return { ids: [], total, estimated: false }
  const page = { offset: part.offset, limit: rest }
  const order = getScanOrder(sort ?? 'created')
  const isLarge = total > minScanHits && toTermsQuery(match.chosen) !== null
  const ids =
    order && isLarge
      ? await findInLargeResult(db, match, page, sort, order, {
          hits: total,
          shares: null,
          last: null,
          hitsToLast: 0,
        })
      : await sortHits(db, match, sort, page)
  return { ids, total, estimated: false }
}

async function findSampledHits(
  db: Kysely<Database>,
  sorted: ProductQuery['sort'],
  match: Match,
  { limit, offset }: Part,
): Promise<Hits> {
  if (match.words && !canMatch(match.words, match.chosen)) return { ids: [], total: 0, estimated: false }
  const sort = match.words ? sorted : (sorted ?? 'created')
  const page = { offset, limit: Math.max(0, Math.min(limit, maxSearchResults - offset)) }
  const { ids, estimated, ...estimate } = await findSampled(db, match, sort, page)
  const total = displayCount(estimate.hits, estimated)
  const order = getScanOrder(sort)
  if (!estimated || !order) return { ids, total, estimated }
  return { ids: await findInLargeResult(db, match, page, sort, order, estimate), total, estimated }
}

/** Returns at most three products with exactly this number, in the form of `toNumberKey`. */
export async function findByNumber(
  db: Kysely<Database>,
  number: string,
): Promise<{ id: string; name: string }[]> {
  if (number === '') return []
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from products where ${isSold} and ${hasExactNumber(number)}
    order by lower(name), id limit 3`.execute(db)
  return rows
}
