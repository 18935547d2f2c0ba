import { type Kysely, sql } from 'kysely'
import type { ProductQuery } from '../../../../contract/catalog.ts'
import type { Chosen } from '../../../../contract/product-filters.ts'
import type { Database } from '../../../../db/schema.ts'
import { type Condition, type Match, matchingRows } from './filters.ts'
import { canMatch, parseTerms, toPartNumber } from './parse-query.ts'
import { bestMatch, getOrder, type Part, sortedColumns } from './result-page.ts'
import { readAddedGroups, readTerms } from './synonyms.ts'

/** A search of any products, not only of those for sale. */
interface AnySearch {
  match: Match
  /** The products that are searched. */
  scope: Condition
  /** No product can match. */
  isEmpty: boolean
}

/**
 * Reads a search whose result an admin changes: its words are never read otherwise than typed.
 *
 * @param isDeleted deleted products are searched
 */
export async function readAnySearch(
  db: Kysely<Database>,
  { q = '', ...chosen }: Chosen & { q?: string | undefined },
  scope: Condition,
  isDeleted: boolean,
): Promise<AnySearch> {
  if (q.trim() === '') return { match: { chosen, words: null, fit: null }, scope, isEmpty: false }
  const words = await parseTerms(db, readTerms(q, await readAddedGroups(db)), toPartNumber(q))
  return { match: { chosen, words, fit: null, isDeleted }, scope, isEmpty: !canMatch(words, chosen) }
}

/**
 * Finds a page of the products that match. Without `sort` the best match is first, or else the order is `usual`.
 *
 * @param usual by columns of `products`. Default: the oldest product first
 */
export async function findAny(
  db: Kysely<Database>,
  { match, scope, isEmpty }: AnySearch,
  sort: ProductQuery['sort'],
  { limit, offset }: Part,
  usual: Condition = getOrder(),
): Promise<string[]> {
  if (isEmpty) return []
  const { words } = match
  const isBest = words !== null && !sort
  const columns = isBest ? sql`${sortedColumns}, deleted_at, document` : sql`${sortedColumns}, deleted_at`
  const order = isBest ? sql`${bestMatch(words)}, created_at, id` : sort ? getOrder(sort) : usual
  const { rows } = await sql<{ id: string }>`
    select id from (${matchingRows(columns, match, undefined, scope)}) as hits
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counts the products that match, up to `max`. */
export async function countAny(
  db: Kysely<Database>,
  { match, scope, isEmpty }: AnySearch,
  max: number,
): Promise<number> {
  if (isEmpty) return 0
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from (${matchingRows(sql`id`, match, undefined, scope)}) as hits limit ${max}) as counted`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}
