import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { toSort } from '../../../platform/http/paging.ts'
import {
  type Condition,
  hasExactNumber,
  hasNumber,
  type Match,
  matchingRows,
  toTermsQuery,
} from './filters.ts'
import { estimate, minSampleHits, ownRate, sampleHits, unlimited } from './sampling.ts'
import type { Estimate, ParsedQuery } from './types.ts'

/** Which rows of the ordered hits are wanted. */
export interface Part {
  limit: number
  offset: number
}

type Sort = ProductQuery['sort']

/** The key of each sort order. */
const sortKeys = {
  created: sql`created_at`,
  name: sql`lower(name)`,
  price: sql`price_cents`,
  quantity: sql`stock`,
  minimum: sql`minimum_quantity`,
  category: sql`category`,
}

/**
 * Sort orders with an index: the type of the key, and the facet with an index for each value (products_brand_by_name,
 * products_kind_by_price).
 */
const scanOrders = {
  created: { type: sql`timestamptz`, partition: null },
  name: { type: sql`text`, partition: 'brand' },
  price: { type: sql`integer`, partition: 'kind' },
} as const

export type Partition = 'kind' | 'brand'

export interface ScanOrder {
  by: keyof typeof scanOrders
  key: Condition
  type: Condition
  partition: Partition | null
  direction: 'asc' | 'desc'
}

/** Returns null for an order without an index. */
export function getScanOrder(sort: Sort): ScanOrder | null {
  if (!sort) return null
  const { field, direction } = toSort(sort)
  if (field !== 'created' && field !== 'name' && field !== 'price') return null
  return { by: field, key: sortKeys[field], ...scanOrders[field], direction }
}

/** A condition: the key is not behind the last one. */
export const isUpTo = ({ type, direction }: ScanOrder, key: Condition, last: string): Condition =>
  sql`${key} ${direction === 'desc' ? sql`>=` : sql`<=`} ${last}::${type}`

/** Sorts products with the same key by age. */
export function orderBy(key: Condition, direction: 'asc' | 'desc'): Condition {
  const order = sql.raw(direction)
  return sql`${key} ${order}, created_at ${order}, id ${order}`
}

export function getOrder(sort: Sort = 'created'): Condition {
  const { field, direction } = toSort(sort)
  return field === 'category'
    ? sql`category ${sql.raw(direction)} nulls last, created_at, id`
    : orderBy(sortKeys[field], direction)
}

/** The columns of the sort orders, and of their partitions. */
export const sortedColumns = sql`id, name, kind, brand, category, stock, minimum_quantity, price_cents, created_at`

/**
 * Reads all hits and sorts them. Without filters, the orders of `scanOrders` use only their indexes.
 *
 * @param range a condition that the first hits meet; with an index, it is combined with products_search_all
 */
export async function sortHits(
  db: Kysely<Database>,
  match: Match,
  sort: Sort,
  { limit, offset }: Part,
  range: Condition = sql`true`,
): Promise<string[]> {
  const isFiltered = match.words !== null || match.fit !== null || toTermsQuery(match.chosen) !== null
  // `offset 0` stops Postgres from using an index of the order: only products_search_all is fast for filters.
  const { rows } = await sql<{ id: string }>`
    select id from (${matchingRows(sortedColumns, match, range)} ${isFiltered ? sql`offset 0` : sql``}) as hits
    order by ${getOrder(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A page of a search. */
interface SearchHits extends Estimate {
  /** Sorted. Empty if there are too many hits to sort: then an index scan uses the estimate. */
  ids: string[]
  estimated: boolean
}

/**
 * Finds products by words and fit, and samples many hits. Sorted by best match, hits of the smallest sample come first:
 * the first page has the best of at least 200 random hits.
 *
 * @param sort undefined: by best match, which needs words
 */
export async function findSampled(
  db: Kysely<Database>,
  match: Match,
  sort: Sort,
  { limit, offset }: Part,
): Promise<SearchHits> {
  const end = offset + limit
  const scan = getScanOrder(sort)
  const minHits = scan ? minSampleHits : sort ? unlimited : end
  const order =
    sort || !match.words
      ? getOrder(sort)
      : sql`least(${ownRate}, (select estimate_rate from sample)) desc, ${bestMatch(match.words)}, created_at, id`
  const columns = sort ? sortedColumns : sql`${sortedColumns}, document`
  const isSorted = scan ? sql`(select rate from sample) = 1` : sql`true`
  const { rows } = await sql<SearchHits>`
    with ${sampleHits(columns, match, minHits)}
    select ${estimate},
      array(select id from hits where ${isSorted} order by ${order} limit ${limit} offset ${offset}) as ids,
      ${scan ? estimateScan(scan, end) : sql`array[]::json[] as shares, null as last, 0 as "hitsToLast"`}`.execute(
    db,
  )
  return rows[0] ?? { ids: [], estimated: false, hits: 0, shares: null, last: null, hitsToLast: 0 }
}

/** An exact part number, then the beginning of one, then the words by their weights. */
export function bestMatch({ query, partNumber }: ParsedQuery): Condition {
  const rank = sql`ts_rank(document, ${query}::tsquery) desc`
  if (!partNumber) return rank
  return sql`${hasExactNumber(partNumber)} desc, ${hasNumber(partNumber)} desc, ${rank}`
}

/** Estimates from the sample: hits per partition, a key that most likely has `end` hits before it, and how many it has. */
function estimateScan({ key, partition, direction }: ScanOrder, end: number): Condition {
  // Two standard deviations more than the expected number.
  const position = sql`(
    select ceil(expected + 2 * sqrt(expected) + 1)::integer
    from (select ${end}::float / rate as expected from sample) as wanted)`
  return sql`
    ${partition ? countShares(sql.ref(partition)) : sql`array[]::json[]`} as shares,
    (select ${key}::text as key_as_text from hits where (select rate from sample) > 1
      order by ${key} ${sql.raw(direction)} limit 1 offset ${position}) as last,
    ${position} * (select rate from sample) as "hitsToLast"`
}

const countShares = (column: Condition) => sql`
  array(
    select json_build_object('value', ${column}, 'hits', count(*) * (select rate from sample)) from hits
    where (select rate from sample) > 1 and ${column} is not null group by ${column})`
