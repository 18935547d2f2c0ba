import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, hasNumber, type Match, matchingRows } from './filters.ts'
import type { Estimate } from './large-results.ts'
import type { ParsedQuery } from './parse-query.ts'
import { estimate, minSampleHits, ownRate, sampleHits, unlimited } from './sampling.ts'

/** Which rows of the ordered hits are wanted. */
export interface Part {
  limit: number
  offset: number
}

export type Partition = 'kind' | 'brand'

/**
 * Sort orders with an index: its first column, the column's type, and the facet with an index for each value:
 * products_of_brand, products_of_brand_by_name, products_of_kind_by_price.
 */
export const scanKeys: Record<
  'created' | 'name' | 'price',
  { key: Condition; type: Condition; partition: Partition }
> = {
  created: { key: sql`created_at`, type: sql`timestamptz`, partition: 'brand' },
  name: { key: sql`lower(name)`, type: sql`text`, partition: 'brand' },
  price: { key: sql`price_cents`, type: sql`integer`, partition: 'kind' },
}

export interface ScanOrder {
  by: keyof typeof scanKeys
  descending: boolean
}

/** Returns null for an order without an index. */
export function getScanOrder(sort: ProductQuery['sort']): ScanOrder | null {
  const by = sort?.replace('-', '')
  const descending = sort?.startsWith('-') ?? false
  return by === 'created' || by === 'name' || by === 'price' ? { by, descending } : null
}

const byKey = (column: Condition) => ({
  asc: sql`${column}, created_at, id`,
  desc: sql`${column} desc, created_at desc, id desc`,
})
const orders = {
  created: { asc: sql`created_at, id`, desc: sql`created_at desc, id desc` },
  name: byKey(sql`lower(name)`),
  price: byKey(sql`price_cents`),
  quantity: byKey(sql`stock`),
  minimum: byKey(sql`minimum_quantity`),
  category: { asc: sql`category, created_at, id`, desc: sql`category desc nulls last, created_at, id` },
}

function getOrder(sort: ProductQuery['sort'] = 'created'): Condition {
  const descending = sort.startsWith('-')
  const field = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return orders[field][descending ? 'desc' : 'asc']
}

/** The columns that any sort order needs. */
const sortedColumns = sql`
  id, name, category, stock, minimum_quantity, price_cents, created_at, sku_key, gtin, document, terms`

/** Reads a page of all products. The orders of `scanKeys` use only their indexes. */
export async function sortAll(
  db: Kysely<Database>,
  sort: ProductQuery['sort'],
  { limit, offset }: Part,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where deleted_at is null
    order by ${getOrder(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads all hits and sorts them. */
export async function sortHits(
  db: Kysely<Database>,
  match: Match,
  sort: ProductQuery['sort'],
  { limit, offset }: Part,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with hits as materialized (${matchingRows(sortedColumns, match)})
    select id from hits order by ${getOrder(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A page of a search. */
interface SearchHits {
  /** Sorted. Empty if there are too many hits to sort: then an index scan uses `last` and `shares`. */
  ids: string[]
  /** Hits in the sample, or all hits. */
  counted: number
  /** Number of products per counted hit. 1 if the count is exact. */
  rate: number
  shares: NonNullable<Estimate['shares']>
  last: string | null
}

/**
 * Finds products by words, and samples many hits. Sorted by best match, hits of the smallest sample come first: the
 * first page has the best of at least 200 random hits.
 */
export async function findByWords(
  db: Kysely<Database>,
  match: Match & { words: ParsedQuery },
  sort: ProductQuery['sort'],
  { limit, offset }: Part,
): Promise<SearchHits> {
  const end = offset + limit
  const scan = getScanOrder(sort)
  const minHits = scan ? minSampleHits : sort ? unlimited : end
  const order = sort
    ? getOrder(sort)
    : sql`least(${ownRate}, (select estimate_rate from sample)) desc, ${bestMatch(match.words)}, ${orders.created.asc}`
  const isSorted = scan ? sql`(select rate from sample) = 1` : sql`true`
  const { rows } = await sql<SearchHits>`
    with ${sampleHits(sortedColumns, match, minHits)}
    select ${estimate},
      array(select id from hits where ${isSorted} order by ${order} limit ${limit} offset ${offset}) as ids,
      ${scan ? estimateScan(scan, end) : sql`array[]::json[] as shares, null as last`}`.execute(db)
  return rows[0] ?? { ids: [], counted: 0, rate: 1, shares: [], last: null }
}

/** An exact part number, then the beginning of one, then the words by their weights. */
function bestMatch({ query, partNumber }: ParsedQuery): Condition {
  const rank = sql`ts_rank(document, ${query}::tsquery) desc`
  if (!partNumber) return rank
  return sql`(sku_key = ${partNumber} or gtin = ${partNumber}) is true desc,
    ${hasNumber(partNumber)} is true desc, ${rank}`
}

/** Estimates from the sample: hits per partition, and a key that most likely has at least `end` hits before it. */
function estimateScan({ by, descending }: ScanOrder, end: number): Condition {
  const { key } = scanKeys[by]
  // Two standard deviations more than the expected number.
  const position = sql`(
    select ceil(expected + 2 * sqrt(expected) + 1)::integer
    from (select ${end}::float / rate as expected from sample) as wanted)`
  return sql`
    array(
      select json_build_object('value', substr(term, strpos(term, ':') + 1),
        'hits', count(*) * (select rate from sample))
      from hits, unnest(tsvector_to_array(terms)) as term
      where (select rate from sample) > 1 and starts_with(term, ${`${scanKeys[by].partition}:`}) group by term
    ) as shares,
    (select ${key}::text as key_as_text from hits where (select rate from sample) > 1
      order by ${key} ${descending ? sql`desc` : sql`asc`} limit 1 offset ${position}) as last`
}
