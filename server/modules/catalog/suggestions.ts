import type { Kysely } from 'kysely'
import { bikePath } from '../../../contract/bike-urls.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { productPath } from '../../../contract/product.ts'
import { maxSuggestions, type Suggestion } from '../../../contract/suggestions.ts'
import type { Database } from '../../../db/schema.ts'
import { findBikeMatches } from '../bikes/service.ts'
import { listWithFacets } from './service.ts'

/** At most this many of each type, so that none fills the list. */
const limits = { bike: 2, kind: 2, brand: 1 }

/** Finds pages that a text may mean: bikes, kinds of part, brands, and products by name or part number. */
export async function suggest(db: Kysely<Database>, q: string): Promise<Suggestion[]> {
  if (!/[\p{L}\p{N}]/u.test(q)) return []
  const [matches, { list, facets: counted }] = await Promise.all([
    findBikeMatches(db, q),
    listWithFacets(db, { q, pageSize: maxSuggestions }),
  ])
  const { rows, matchedNumbers } = list
  const { facets } = counted
  const bikes = matches.slice(0, limits.bike).map(
    ({ name, make, model, year }): Suggestion => ({
      type: 'bike',
      name,
      path: bikePath(make, model, year),
    }),
  )
  const kinds = facets.kind.values
    .slice(0, limits.kind)
    .map(({ value }): Suggestion => ({ type: 'kind', name: value, path: listPath({ kind: value }) }))
  const brands = facets.brand.values
    .filter(({ value }) => value.toLowerCase().startsWith(q.trim().toLowerCase()))
    .slice(0, limits.brand)
    .map(({ value }): Suggestion => ({ type: 'brand', name: value, path: listPath({ brand: value }) }))
  const products = rows.map(
    ({ id, name, sku }): Suggestion => ({
      type: 'product',
      name,
      number: matchedNumbers.get(id) ?? (sku && startsWithNumber(sku, q) ? sku : undefined),
      path: productPath({ _id: id, name }),
    }),
  )
  return [...bikes, ...kinds, ...brands, ...products].slice(0, maxSuggestions)
}

const startsWithNumber = (sku: string, typed: string) => {
  const key = toNumberKey(typed)
  return key.length > 2 && toNumberKey(sku).startsWith(key)
}

const listPath = (query: Record<string, string>) => `/products?${new URLSearchParams(query)}`
