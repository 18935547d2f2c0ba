import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import {
  all,
  type Condition,
  type Filters,
  found,
  plainly,
  summaryOf,
  type Words,
} from '../filters/queries.ts'
import type { Facet } from '../search/queries.ts'

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
export type Split = Facet
const splits = { brand: sql`brand`, kind: sql`kind` }

/** How the hits are come upon. */
export interface Walks {
  /** By which values one walks apart; null where by none. */
  split: Split | null
  /** A walk for each; without a split what stands here does not matter. */
  values: string[]
  /** So many products are looked at in each walk and no more, hits or not. */
  budget: number
  /** Hits that are read by the index over documents instead: a `tsquery` as text; null for none. */
  others: string | null
}

/** How many hits of a sample have one brand, or are of one kind. */
export interface Share {
  split: Split
  value: string
  hits: number
}

/** Where to begin among the hits in their order, where to end, and behind which key none is wanted. */
export interface Stretch {
  offset: number
  limit: number
  /** The key as text; null where all are wanted. */
  last: string | null
}

/**
 * How many hits of a sample have each brand and each kind, and the key that so many hits come before, most likely. For a
 * statement with `hits` and `sample`.
 *
 * @param reach how many
 */
export function outlookOf({ by, descending }: Order, reach: number): Condition {
  const { key } = keys[by]
  // Of those that are wanted so many should stand in the sample; there may be some more of them.
  const place = sql`(
    select ceil(expected + 2 * sqrt(expected) + 1)::integer
    from (select ${reach}::float / one_in as expected from sample) as wanted)`
  return sql`
    array(
      select json_build_object('split', split, 'value', value, 'hits', count(*))
      from hits, lateral (values ('brand', brand), ('kind', kind)) as shares (split, value)
      where (select one_in from sample) > 1 and value is not null group by split, value
    ) as shares,
    (select ${key}::text as key_as_text from hits where (select one_in from sample) > 1
      order by ${key} ${directionOf(descending)} limit 1 offset ${place}) as last`
}

const directionOf = (descending: boolean) => (descending ? sql`desc` : sql`asc`)

/** How many products the walks pass by, hits or not: in all, and for each brand and kind. */
export async function countPassed(
  db: Kysely<Database>,
  filters: Filters,
  { by }: Order,
): Promise<{ split: Split | null; value: string | null; products: number }[]> {
  const passed = (split: Split | null) => summaryOf(ahead(filters, by, split))
  const { rows } = await sql<{ split: Split | null; value: string | null; products: number }>`
    select null as split, null as value, coalesce(sum(products), 0)::integer as products
    from product_counts where ${passed(null)}
    union all
    select 'brand', brand, sum(products)::integer from product_counts where ${passed('brand')} group by brand
    union all
    select 'kind', kind, sum(products)::integer from product_counts where ${passed('kind')} group by kind`.execute(
    db,
  )
  return rows
}

/** The filters that an index of the order leaves aside what does not pass them by; the others are looked at one by one. */
function ahead({ category, kind, brand, price }: Filters, by: Order['by'], split: Split | null): Filters {
  const wide = !split && !kind && !brand && by === 'name'
  return { kind, brand, category: wide ? category : undefined, price: by === 'price' ? price : undefined }
}

/** A stretch of the hits in their order. */
export async function findWalking(
  db: Kysely<Database>,
  filters: Filters,
  words: Words,
  { by, descending }: Order,
  walks: Walks,
  { offset, limit, last }: Stretch,
): Promise<string[]> {
  const { key, type } = keys[by]
  const direction = directionOf(descending)
  const order = sql`key ${direction}, created_at ${direction}, id ${direction}`
  const inReach = (key: Condition) =>
    last === null ? sql`true` : sql`${key} ${descending ? sql`>=` : sql`<=`} ${last}::${type}`
  const { split, values, budget, others } = walks
  const ofValue = split ? sql`and ${splits[split]} = walk.value` : sql``
  // The function behind `@@`, for which no index stands in: the one of the order is to be walked through.
  const hits = sql`
    select hit.* from unnest(${values}::text[]) as walk (value) cross join lateral (
      select id, created_at, key from (
        select *, ${key} as key from products
        where ${all(plainly(ahead(filters, by, split)))} ${ofValue} and ${inReach(key)}
        order by ${order} limit ${budget}
      ) as passed
      where ${all(plainly(filters))} and ts_match_vq(document, ${words.query}::tsquery)
      order by ${order} limit ${offset + limit}
    ) as hit`
  // The `offset` keeps the key out of the index scan: the index over documents is the only short way to them.
  const rest =
    others === null
      ? sql``
      : sql`
    union all
    select * from (
      ${found(sql`id, created_at, ${key} as key`, filters, { query: others, partNumber: '' })} offset 0
    ) as other where ${inReach(sql`key`)}`
  const { rows } = await sql<{ id: string }>`
    select id from (${hits} ${rest}) as hits
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}
