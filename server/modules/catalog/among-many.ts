import type { Kysely } from 'kysely'
import type { ProductQuery } from '../../../contract/catalog.ts'
import { type PriceBand, priceBandNames } from '../../../contract/product-filters.ts'
import type { Database } from '../../../db/schema.ts'
import type { Words } from './filters/queries.ts'
import * as queries from './queries.ts'

/** A walk is given up after so many times the steps that it should take. */
const patience = 2
/** Fewer steps are not worth giving up. */
const fewestSteps = 500

/**
 * A page of a search that finds many, in its order. Many are soon come upon, wherever one begins to walk; unless they
 * stand together, as one brand does among all names. Then they are read and put in order: by price a band at a time.
 *
 * @param many about how many are found
 */
export async function findAmongMany(
  db: Kysely<Database>,
  query: ProductQuery,
  words: Words,
  part: queries.Part,
  many: number,
): Promise<string[]> {
  const walk = walkOf(part.sort)
  const all = await queries.countProducts(db, query)
  const stepsToOne = all / many
  // To read them all, and rank them, is no longer way than to walk to a page of them.
  if (walk === null || part.limit * stepsToOne > many) {
    return (await queries.findFew(db, query, words, part)).ids
  }
  const expected = (part.offset + part.limit) * stepsToOne
  const budget = Math.max(fewestSteps, Math.ceil(expected * patience))
  const ids = await queries.findWalking(db, query, words, { ...part, ...walk, budget })
  if (ids.length === part.limit || budget >= all) return ids
  if (walk.walk === 'price' && !query.price) return findBandByBand(db, query, words, part)
  // What has no order of its own is in that of the shop, not of the best match.
  return (await queries.findFew(db, query, words, { ...part, sort: part.sort ?? 'created' })).ids
}

function walkOf(sort: ProductQuery['sort'] = 'created'): { walk: queries.Walk; descending: boolean } | null {
  const descending = sort.startsWith('-')
  const walk = descending ? sort.slice(1) : sort
  return walk === 'created' || walk === 'name' || walk === 'price' ? { walk, descending } : null
}

async function findBandByBand(
  db: Kysely<Database>,
  query: ProductQuery,
  words: Words,
  { sort, limit, offset }: queries.Part,
): Promise<string[]> {
  const bands: PriceBand[] = sort === '-price' ? priceBandNames.toReversed() : priceBandNames
  const ids: string[] = []
  let before = 0
  for (const price of bands) {
    const part = { sort, limit: limit - ids.length, offset: Math.max(0, offset - before) }
    const hits = await queries.findFew(db, { ...query, price }, words, part)
    ids.push(...hits.ids)
    before += hits.total
    if (ids.length === limit) break
  }
  return ids
}
