import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Product, selectedColumns } from '../repository.ts'
import {
  all,
  type Condition,
  countConditions,
  type Filters,
  filterConditions,
  hasNumber,
  matchingRows,
  type ParsedQuery,
} from './filters.ts'
import { estimateScan, type Order, type Share } from './index-scan.ts'
import { estimateRate, minSampleHits, sampleHits, smallestSample, unlimited } from './sampling.ts'

export interface Part {
  sort: ProductQuery['sort']
  limit: number
  offset: number
}

/** Puts what filters leave in its order: for not too many of them. */
export async function findFew(
  db: Kysely<Database>,
  filters: Filters,
  { sort, limit, offset }: Part,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with found as materialized (${matchingRows(sortedColumns, filters, null)})
    select id from found order by ${orderOf(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** All that products are put in order by. */
const sortedColumns = sql`
  id, name, category, kind, brand, stock, minimum_quantity, price_cents, created_at, sku_key, gtin, document`

/** What a search finds. */
export interface Hits {
  /** Some of them in their order; none where they were sampleHits from many and are not asked for by the best match. */
  ids: string[]
  /** How many were counted, and how many products each of these stands for. */
  counted: number
  samplingRate: number
  /** What is known of the order of many. */
  shares: Share[]
  last: string | null
}

/**
 * Finds what has the words. Of many hits those in a sample are put in order by how well they match, before all others:
 * as far as the page goes.
 *
 * @param walk the order in which many are to be walked through, rather than read
 */
export async function findHits(
  db: Kysely<Database>,
  filters: Filters,
  words: ParsedQuery,
  { sort, limit, offset }: Part,
  walk: Order | null,
): Promise<Hits> {
  const end = offset + limit
  const order = sort
    ? orderOf(sort)
    : sql`least(${smallestSample}, (select estimateRate from sample)) desc, ${bestMatch(words)}, ${orders.created.asc}`
  const wanted = sort ? sql`(select one_in from sample) = 1` : sql`true`
  const { rows } = await sql<Hits>`
    with ${sampleHits(sortedColumns, filters, words, walk ? minSampleHits : sort ? unlimited : end)}
    select ${estimateRate},
      array(select id from hits where ${wanted} order by ${order} limit ${limit} offset ${offset}) as ids,
      ${walk ? estimateScan(walk, end) : sql`array[]::json[] as shares, null as last`}`.execute(db)
  return rows[0] ?? { ids: [], counted: 0, samplingRate: 1, shares: [], last: null }
}

/** An exact part number, then the beginning of one, then what has the words where they weigh most. */
function bestMatch({ query, partNumber }: ParsedQuery): Condition {
  const rank = sql`ts_rank(document, ${query}::tsquery) desc`
  if (!partNumber) return rank
  return sql`(sku_key = ${partNumber} or gtin = ${partNumber}) is true desc,
    ${hasNumber(partNumber)} is true desc, ${rank}`
}

/** ScanRanges through the products in their order until the page is full: where many are among the filtered ones. */
export async function findMany(
  db: Kysely<Database>,
  filters: Filters,
  { sort, limit, offset }: Part,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where ${all(filterConditions(filters))}
    order by ${orderOf(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

const ordered = (column: Condition) => ({
  asc: sql`${column}, created_at, id`,
  desc: sql`${column} desc, created_at desc, id desc`,
})
/** Each is the order of an index, to be read either way; but for those that only admins ask for. */
const orders = {
  created: { asc: sql`created_at, id`, desc: sql`created_at desc, id desc` },
  name: ordered(sql`lower(name)`),
  price: ordered(sql`price_cents`),
  quantity: ordered(sql`stock`),
  minimum: ordered(sql`minimum_quantity`),
  category: { asc: sql`category, created_at, id`, desc: sql`category desc nulls last, created_at, id` },
}

export function orderOf(sort: ProductQuery['sort'] = 'created'): Condition {
  const descending = sort.startsWith('-')
  const field = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return orders[field][descending ? 'desc' : 'asc']
}

/** How many products there are with these filters, from the summary. */
export async function countProducts(db: Kysely<Database>, filters: Filters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(products), 0)::integer as total
    from product_counts where ${countConditions(filters)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The products with these ids, in their order. */
export async function findProducts(db: Kysely<Database>, ids: string[]): Promise<Product[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(selectedColumns)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
