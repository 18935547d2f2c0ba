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

interface Part {
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

/** Walks through the products in their order until the page is full: for many of them. */
export async function findMany(
  db: Kysely<Database>,
  filters: Filters,
  words: Words | null,
  { sort, limit, offset }: Part,
): Promise<string[]> {
  const conditions = plainly(filters)
  // The function behind `@@`, for which no index stands in: the one of the order is to be walked through.
  if (words) conditions.push(sql`ts_match_vq(document, ${words.query}::tsquery)`)
  const { rows } = await sql<{ id: string }>`
    select id from products where ${all(conditions)}
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
