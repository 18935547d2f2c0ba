import type { Kysely } from 'kysely'
import { type ProductFacets, type ProductQuery } from '../../../../contract/catalog.ts'
import { type FacetName, facetNames, priceBandNames } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Page, pageOf } from '../../../platform/page.ts'
import type { Product } from '../repository.ts'
import * as facets from './facets.ts'
import { findInLargeResult, getScanOrder } from './large-results.ts'
import { correctSpelling, mayFind, readWords, type Search } from './parse-query.ts'
import * as queries from './result-page.ts'

export { compactCounts } from './count-compaction.ts'

/** Nobody reads so far: a search that finds as many is narrowed down instead. */
const maxSearchResults = 2000
/** So much of what is estimated is there all the same: no page that one is led to is empty. */
const minEstimateShare = 3 / 4

export interface ProductPage extends Page<Product> {
  /** Too many were found to count them: `total` is about so. */
  estimated: boolean
  /** How many of them the pages lead through. */
  reachableTotal: number
  /** What was searched instead, where nothing is called what was typed. */
  searchedFor: string | undefined
}

/** A page of the products that are in the shop, in the order that is asked for. */
export async function listProducts(db: Kysely<Database>, query: ProductQuery): Promise<ProductPage> {
  const { hits, searchedFor } = await withSpellingCorrection(
    db,
    query,
    (words) => findHits(db, query, words),
    ({ total }) => total === 0,
  )
  const { ids, total, estimated } = hits
  const reachableTotal = estimated ? Math.min(maxSearchResults, Math.floor(total * minEstimateShare)) : total
  return { rows: await queries.findProducts(db, ids), total, estimated, reachableTotal, searchedFor }
}

/** What the list can be filtered by, beside what it is filtered by already. */
export async function countFacets(db: Kysely<Database>, query: ProductQuery): Promise<ProductFacets> {
  const { hits: rows, searchedFor } = await withSpellingCorrection(
    db,
    query,
    (words) => facets.countFacets(db, query, words),
    (rows) => !rows.some(({ facet }) => facet === 'total'),
  )
  const total = rows.find(({ facet }) => facet === 'total')
  const values = Object.fromEntries(facetNames.map((name) => [name, facetOf(name, rows)]))
  return {
    total: total ? countOf(total) : 0,
    estimated: total?.estimated ?? false,
    searchedFor,
    facets: values as ProductFacets['facets'],
  }
}

const countOf = ({ count, estimated }: { count: number; estimated: boolean }) =>
  estimated ? roundEstimate(count) : count

function facetOf(name: FacetName, rows: facets.FacetRow[]) {
  const own = rows.filter(({ facet }) => facet === name)
  const values = own.flatMap(({ value, ...row }) => (value === null ? [] : [{ value, count: countOf(row) }]))
  return {
    estimated: own.some(({ estimated }) => estimated),
    values: name === 'price' ? inBands(values) : values.toSorted(mostFirst),
  }
}

type Value = { value: string; count: number }
const mostFirst = (one: Value, other: Value) => other.count - one.count || (one.value < other.value ? -1 : 1)

/** The summary knows a band by its place among all. */
const inBands = (values: Value[]): Value[] =>
  priceBandNames.flatMap((band, place) => {
    const value = values.find(({ value }) => value === String(place))
    return value ? [{ value: band, count: value.count }] : []
  })

/** Reads with the words that were typed, and where nothing has them with those that come nearest. */
async function withSpellingCorrection<Hits>(
  db: Kysely<Database>,
  query: ProductQuery,
  read: (words: Search | null) => Promise<Hits>,
  isEmpty: (hits: Hits) => boolean,
): Promise<{ hits: Hits; searchedFor: string | undefined }> {
  const words = await readWords(db, query.q)
  const hits = await read(words)
  if (!words || !isEmpty(hits) || (await hasAny(db, query, words))) return { hits, searchedFor: undefined }
  const corrected = await correctSpelling(db, query.q ?? '')
  if (!corrected) return { hits, searchedFor: undefined }
  const forgiven = await read(corrected.words)
  return isEmpty(forgiven)
    ? { hits, searchedFor: undefined }
    : { hits: forgiven, searchedFor: corrected.searchedFor }
}

/** Whether it was the filters that left nothing: then nothing was mistyped. */
async function hasAny(db: Kysely<Database>, query: ProductQuery, words: Search): Promise<boolean> {
  if (!isFiltered(query)) return false
  return (await findWords(db, { pageSize: 1 }, words)).total > 0
}

const isFiltered = (query: ProductQuery) => facetNames.some((name) => query[name])

async function findHits(db: Kysely<Database>, query: ProductQuery, words: Search | null) {
  if (words) return findWords(db, query, words)
  const part = { sort: query.sort, ...pageOf(query) }
  const total = await queries.countProducts(db, query)
  if (total === 0) return { ids: [], total, estimated: false }
  // Whichever way is shorter: to walk among those of the brand or kind, or of all, or to read what the filters leave.
  const { brand, kind } = query
  const scanned = await queries.countProducts(db, brand ? { brand } : { kind })
  const steps = ((part.offset + part.limit) * scanned) / total
  const ids = await (isFiltered(query) && total < steps ? queries.findFew : queries.findMany)(db, query, part)
  return { ids, total, estimated: false }
}

async function findWords(db: Kysely<Database>, query: ProductQuery, words: Search) {
  if (!mayFind(words, query)) return { ids: [], total: 0, estimated: false }
  const { limit, offset } = pageOf(query)
  const part = { sort: query.sort, offset, limit: Math.max(0, Math.min(limit, maxSearchResults - offset)) }
  const walk = getScanOrder(query.sort)
  const hits = await queries.findHits(db, query, words, part, walk)
  const { counted, samplingRate } = hits
  const estimated = samplingRate > 1
  const ids = estimated && walk ? await findInLargeResult(db, query, words, part, walk, hits) : hits.ids
  return { ids, total: estimated ? roundEstimate(counted * samplingRate) : counted, estimated }
}

/** An estimate is no better than its first two digits. */
const roundEstimate = (count: number) => Number(count.toPrecision(2))

/** Some other products of the same kind; none where it has no kind. */
export async function listRelated(
  db: Kysely<Database>,
  { id, kind }: Product,
  limit: number,
): Promise<Product[]> {
  if (kind === null) return []
  const ids = await queries.findMany(db, { kind }, { sort: undefined, limit: limit + 1, offset: 0 })
  return queries.findProducts(db, ids.filter((other) => other !== id).slice(0, limit))
}
