/** What a rider types into a search engine: a kind of part, a brand. */
const landings = ['kind', 'brand', 'category']

/**
 * The path under which search engines shall know a page of the product list, or null where they shall not:
 *
 * - each page of the whole list, and of the list of one kind, one brand or one category, stands for itself;
 * - a search, an order, any other filter, and two filters together show the same products once more, in numbers without
 *   end: they are left out, and so is a list without products.
 *
 * @param search the address's parameters, which may be anything
 * @param page the page that is shown, from 1
 */
export function listCanonical(search: URLSearchParams, page: number, total: number): string | null {
  const chosen = [...search].filter(([name, value]) => name !== 'page' && value !== '')
  const [landing] = chosen
  const isLanding = chosen.length === 1 && landing !== undefined && landings.includes(landing[0])
  if (total === 0 || (chosen.length > 0 && !isLanding)) return null
  const parameters = new URLSearchParams(chosen)
  if (page > 1) parameters.set('page', String(page))
  return parameters.size > 0 ? `/products?${parameters}` : '/products'
}
