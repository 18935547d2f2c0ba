import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import {
  all,
  type Condition,
  countConditions,
  type Filters,
  filterConditions,
  matchingRows,
  type ParsedQuery,
} from './filters.ts'
import type { Facet } from './query-terms.ts'

/** Orders that products can be walked through in: each has indexes, and a column that it goes by. */
const keys = {
  created: { key: sql`created_at`, type: sql`timestamptz` },
  name: { key: sql`lower(name)`, type: sql`text` },
  price: { key: sql`price_cents`, type: sql`integer` },
}

export interface Order {
  by: keyof typeof keys
  descending: boolean
}

/** What has an index of each order for each of its values. */
export type Partition = Facet
const partitions = { brand: sql`brand`, kind: sql`kind` }

/** How the hits are come upon. */
export interface ScanRanges {
  /** By which values one ranges apart; null where by none. */
  partitionBy: Partition | null
  /** A walk for each; without a partitionBy what stands here does not matter. */
  values: string[]
  /** So many products are looked at in each walk and no more, hits or not. */
  budget: number
  /** Hits that are read by the index over documents instead: a `tsquery` as text; null for none. */
  others: string | null
}

/** How many hits of a sample have one brand, or are of one kind. */
export interface Share {
  partitionBy: Partition
  value: string
  hits: number
}

/** Where to begin among the hits in their order, where to end, and behind which key none is wanted. */
export interface Range {
  offset: number
  limit: number
  /** The key as text; null where all are wanted. */
  last: string | null
}

/**
 * How many hits of a sample have each brand and each kind, and the key that so many hits come before, most likely. For a
 * statement with `hits` and `sample`.
 *
 * @param end how many
 */
export function estimateScan({ by, descending }: Order, end: number): Condition {
  const { key } = keys[by]
  // Of those that are wanted so many should stand in the sample; there may be some more of them.
  const place = sql`(
    select ceil(expected + 2 * sqrt(expected) + 1)::integer
    from (select ${end}::float / one_in as expected from sample) as wanted)`
  return sql`
    array(
      select json_build_object('partitionBy', partitionBy, 'value', value, 'hits', count(*))
      from hits, lateral (values ('brand', brand), ('kind', kind)) as shares (partitionBy, value)
      where (select one_in from sample) > 1 and value is not null group by partitionBy, value
    ) as shares,
    (select ${key}::text as key_as_text from hits where (select one_in from sample) > 1
      order by ${key} ${directionOf(descending)} limit 1 offset ${place}) as last`
}

const directionOf = (descending: boolean) => (descending ? sql`desc` : sql`asc`)

/** How many products the ranges pass by, hits or not: in all, and for each brand and kind. */
export async function countScanned(
  db: Kysely<Database>,
  filters: Filters,
  { by }: Order,
): Promise<{ partitionBy: Partition | null; value: string | null; products: number }[]> {
  const scanned = (partitionBy: Partition | null) => countConditions(ahead(filters, by, partitionBy))
  const { rows } = await sql<{ partitionBy: Partition | null; value: string | null; products: number }>`
    select null as partitionBy, null as value, coalesce(sum(products), 0)::integer as products
    from product_counts where ${scanned(null)}
    union all
    select 'brand', brand, sum(products)::integer from product_counts where ${scanned('brand')} group by brand
    union all
    select 'kind', kind, sum(products)::integer from product_counts where ${scanned('kind')} group by kind`.execute(
    db,
  )
  return rows
}

/** The filters that an index of the order leaves aside what does not pass them by; the others are looked at one by one. */
function ahead(
  { category, kind, brand, price }: Filters,
  by: Order['by'],
  partitionBy: Partition | null,
): Filters {
  const wide = !partitionBy && !kind && !brand && by === 'name'
  return { kind, brand, category: wide ? category : undefined, price: by === 'price' ? price : undefined }
}

/** A range of the hits in their order. */
export async function findByIndexScan(
  db: Kysely<Database>,
  filters: Filters,
  words: ParsedQuery,
  { by, descending }: Order,
  ranges: ScanRanges,
  { offset, limit, last }: Range,
): Promise<string[]> {
  const { key, type } = keys[by]
  const direction = directionOf(descending)
  const order = sql`key ${direction}, created_at ${direction}, id ${direction}`
  const inReach = (key: Condition) =>
    last === null ? sql`true` : sql`${key} ${descending ? sql`>=` : sql`<=`} ${last}::${type}`
  const { partitionBy, values, budget, others } = ranges
  const ofValue = partitionBy ? sql`and ${partitions[partitionBy]} = walk.value` : sql``
  // The function behind `@@`, for which no index stands in: the one of the order is to be walked through.
  const hits = sql`
    select hit.* from unnest(${values}::text[]) as walk (value) cross join lateral (
      select id, created_at, key from (
        select *, ${key} as key from products
        where ${all(filterConditions(ahead(filters, by, partitionBy)))} ${ofValue} and ${inReach(key)}
        order by ${order} limit ${budget}
      ) as scanned
      where ${all(filterConditions(filters))} and ts_match_vq(document, ${words.query}::tsquery)
      order by ${order} limit ${offset + limit}
    ) as hit`
  // The `offset` keeps the key out of the index scan: the index over documents is the only short way to them.
  const rest =
    others === null
      ? sql``
      : sql`
    union all
    select * from (
      ${matchingRows(sql`id, created_at, ${key} as key`, filters, { query: others, partNumber: '' })} offset 0
    ) as other where ${inReach(sql`key`)}`
  const { rows } = await sql<{ id: string }>`
    select id from (${hits} ${rest}) as hits
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}
