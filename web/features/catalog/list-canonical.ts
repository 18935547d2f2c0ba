import type { ProductQuery } from '../../../contract/catalog.ts'

/** Facets that people search for on the web: a list with one such value has a canonical path. */
const landings = ['kind', 'brand', 'category'] as const

/**
 * Returns the canonical path of a page of the whole list, or of one kind, brand or category. Returns null for a page
 * without products and for all other queries, which show the same products again.
 *
 * @param query the valid parameters of the URL
 * @param shown number of products on the page
 */
export function listCanonical({ page = 1, ...chosen }: ProductQuery, shown: number): string | null {
  const names = Object.keys(chosen)
  const landing = landings.find((name) => name === names[0])
  const isWhole = names.length === 0
  const [value, ...others] = (landing && chosen[landing]) ?? []
  if (shown === 0 || others.length > 0 || !(isWhole || (value && names.length === 1))) return null
  const parameters = new URLSearchParams()
  if (landing && value) parameters.set(landing, value)
  if (page > 1) parameters.set('page', String(page))
  return isWhole && page === 1 ? '/products' : `/products?${parameters}`
}
