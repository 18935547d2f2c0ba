import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import {
  all,
  type Condition,
  type Filters,
  found,
  foundInSample,
  hasNumber,
  manyInSample,
  plainly,
  sampleShare,
  summaryOf,
  type Words,
} from './filters/queries.ts'
import { type Product, productColumns } from './repository.ts'

/** Some of the hits in their order, and how many there are. */
export interface Hits {
  ids: string[]
  total: number
}

export interface Part {
  sort: ProductQuery['sort']
  limit: number
  offset: number
}

/** About how many products a search finds, where they are many; null where they are few. */
export async function estimateMany(
  db: Kysely<Database>,
  filters: Filters,
  words: Words,
): Promise<number | null> {
  const { rows } = await sql<{ hits: number }>`
    select count(*) as hits from (${foundInSample(sql`id`, filters, words)}) as found`.execute(db)
  const hits = rows[0]?.hits ?? 0
  return hits < manyInSample ? null : hits * sampleShare
}

/** Puts what is found in its order: for not too many of them. */
export async function findFew(
  db: Kysely<Database>,
  filters: Filters,
  words: Words | null,
  { sort, limit, offset }: Part,
): Promise<Hits> {
  const columns = sql`id, name, category, stock, minimum_quantity, price_cents, created_at, sku_key, gtin, document`
  const order = words && !sort ? sql`${bestMatch(words)}, ${orders.created.asc}` : orderOf(sort)
  const { rows } = await sql<Hits>`
    with found as materialized (${found(columns, filters, words)})
    select (select count(*) from found) as total,
      array(select id from found order by ${order} limit ${limit} offset ${offset}) as ids`.execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

/** An exact part number, then the beginning of one, then what has the words where they weigh most. */
function bestMatch({ query, partNumber }: Words): Condition {
  const rank = sql`ts_rank(document, ${query}::tsquery) desc`
  if (!partNumber) return rank
  return sql`(sku_key = ${partNumber} or gtin = ${partNumber}) is true desc,
    ${hasNumber(partNumber)} is true desc, ${rank}`
}

/** Walks through the products in their order until the page is full: where many are among the filtered ones. */
export async function findMany(
  db: Kysely<Database>,
  filters: Filters,
  { sort, limit, offset }: Part,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from products where ${all(plainly(filters))}
    order by ${orderOf(sort)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Orders that a search can be walked through in: each has an index, and a column that it goes by. */
const walks = { created: sql`created_at`, name: sql`lower(name)`, price: sql`price_cents` }
export type Walk = keyof typeof walks

/**
 * The same for words, among so many of the filtered products as `budget` says and no more: what is found often may all the
 * same stand together at the far end.
 */
export async function findWalking(
  db: Kysely<Database>,
  filters: Filters,
  words: Words,
  {
    walk,
    descending,
    budget,
    limit,
    offset,
  }: Omit<Part, 'sort'> & { walk: Walk; descending: boolean; budget: number },
): Promise<string[]> {
  const direction = descending ? sql`desc` : sql`asc`
  // The function behind `@@`, for which no index stands in: the one of the order is to be walked through.
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, created_at, ${walks[walk]} as key, document from products where ${all(plainly(filters))}
      order by key ${direction}, created_at ${direction}, id ${direction} limit ${budget}
    ) as walked
    where ts_match_vq(document, ${words.query}::tsquery)
    order by key ${direction}, created_at ${direction}, id ${direction} limit ${limit} offset ${offset}`.execute(
    db,
  )
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

function orderOf(sort: ProductQuery['sort'] = 'created'): Condition {
  const descending = sort.startsWith('-')
  const field = (descending ? sort.slice(1) : sort) as keyof typeof orders
  return orders[field][descending ? 'desc' : 'asc']
}

/** How many products there are with these filters, from the summary. */
export async function countProducts(db: Kysely<Database>, filters: Filters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(products), 0)::integer as total
    from product_counts where ${summaryOf(filters)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The products with these ids, in their order. */
export async function findProducts(db: Kysely<Database>, ids: string[]): Promise<Product[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .select(productColumns)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
