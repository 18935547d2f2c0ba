import type { ProductQuery } from '../../../contract/catalog.ts'

/** What a rider types into a search engine. */
const landings = ['kind', 'brand', 'category'] as const

/**
 * The path under which search engines shall know a page of the product list, or null if they shall not:
 *
 * - each page of the whole list, and of the list of one kind, one brand or one category, stands for itself;
 * - a search, an order, any other filter, and two choices together show the same products once more, in numbers without
 *   end: they are left out, and so is a page without products.
 *
 * @param query what the address asks for, as far as it was understood
 * @param shown how many products stand on the page
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
