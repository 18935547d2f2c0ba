import { type Kysely, sql } from 'kysely'
import type { ProductFacets, ProductQuery } from '../../../../contract/catalog.ts'
import { facetNames } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { toLimitOffset } from '../../../platform/http/paging.ts'
import { countFits, countFacets as countMatchFacets } from './facets.ts'
import { type ChosenTerms, hasExactNumber, hasTerms, type Match, toMatch, toTermsQuery } from './filters.ts'
import { findInLargeResult } from './large-results.ts'
import { canMatch, correctSpelling, parseQuery, toPartNumber } from './parse-query.ts'
import { findSampled, getScanOrder, type Part, sortHits } from './result-page.ts'
import { displayCount } from './sampling.ts'
import type { ParsedQuery } from './types.ts'

export { compactCounts } from './facets.ts'

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

interface SearchResult extends Hits {
  /** Number of hits that the pages can show. */
  reachableTotal: number
  /** The corrected words that were searched, if the typed ones match nothing. */
  searchedFor: string | undefined
  /** The typed text as a part number; empty if it cannot be one. */
  partNumber: string
}

/** A query with the bikes that a product must fit; several if the words named a model without a year. */
export type SearchQuery = Omit<ProductQuery, 'bike'> & { bikes?: number[] | undefined }

/** Finds a page of the products that match the query. */
export async function searchProducts(db: Kysely<Database>, query: SearchQuery): Promise<SearchResult> {
  const { bikes = [], fit = [], ...chosen } = query
  const match = toMatch(chosen, { bikes, choices: fit })
  const { result, searchedFor } = await withSpellingCorrection(db, query, (words) =>
    findHits(db, query, { ...match, words }),
  )
  const { total, estimated } = result
  const reachableTotal = estimated ? Math.min(maxSearchResults, Math.floor(total * minEstimateShare)) : total
  return { ...result, reachableTotal, searchedFor, partNumber: toPartNumber(query.q ?? '') }
}

/** Counts the values of all facets among the products that match the query. */
export async function countFacets(db: Kysely<Database>, query: SearchQuery): Promise<ProductFacets> {
  const { bikes = [], fit = [], ...chosen } = query
  const match = toMatch(chosen, { bikes, choices: fit })
  const { result, searchedFor } = await withSpellingCorrection(db, query, async (words) => {
    const counting = countMatchFacets(db, { ...match, words })
    const isCounted = fit.length === 0
    const [{ hits, facets }, fits] = await Promise.all([
      counting,
      bikes.length > 0
        ? countFits(
            db,
            { chosen, words },
            bikes,
            isCounted ? counting.then((counts) => counts.hits) : undefined,
          )
        : undefined,
    ])
    const total = displayCount(hits.count, hits.estimated)
    return { total, estimated: hits.estimated, facets, fit: fits }
  })
  return { ...result, searchedFor }
}

/** Searches the typed words. If they match nothing, searches the most similar known words. */
async function withSpellingCorrection<Result extends { total: number }>(
  db: Kysely<Database>,
  query: SearchQuery,
  search: (words: ParsedQuery | null) => Promise<Result>,
): Promise<{ result: Result; searchedFor: string | undefined }> {
  const words = await parseQuery(db, query.q)
  const result = await search(words)
  const unchanged = { result, searchedFor: undefined }
  if (!words || result.total > 0 || (await matchesUnfiltered(db, query, words))) return unchanged
  const corrected = await correctSpelling(db, query.q ?? '')
  if (!corrected) return unchanged
  const correctedResult = await search(corrected.words)
  return correctedResult.total > 0
    ? { result: correctedResult, searchedFor: corrected.searchedFor }
    : unchanged
}

/** Whether the words have matches that the filters exclude: then they are not misspelled. */
async function matchesUnfiltered(db: Kysely<Database>, query: SearchQuery, words: ParsedQuery) {
  if (!query.bikes?.length && !(['fit', ...facetNames] as const).some((name) => query[name]?.length))
    return false
  return (await findHits(db, { pageSize: 1 }, { chosen: {}, words, fit: null })).total > 0
}

function findHits(db: Kysely<Database>, query: SearchQuery, match: Match): Promise<Hits> {
  const part = toLimitOffset(query)
  return match.words || match.fit !== null
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
    select id, name from products where deleted_at is null and ${hasExactNumber(number)}
    order by lower(name), id limit 3`.execute(db)
  return rows
}
