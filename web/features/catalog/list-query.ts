import { ProductQuery } from '../../../contract/catalog.ts'
import { productParameters } from '../../../contract/product-filters.ts'

/** What an address asks of the product list: whatever it does not understand counts for nothing. For the server. */
export function readListQuery({ searchParams: asked }: URL): ProductQuery {
  const understood = productParameters.flatMap((name) => {
    const value = name === 'q' ? asked.get(name)?.slice(0, 500) : asked.get(name)
    const parsed = ProductQuery.shape[name].safeParse(value || undefined)
    return parsed.success && parsed.data !== undefined && parsed.data !== '' ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(understood)
}

/** The same as an address; each list has one. */
export function listSearch(query: Omit<ProductQuery, 'page'>): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
}

/** What the list is called: each kind, each brand, each search and each page by a name of its own. */
export function listTitle({ q, kind, brand, category, page = 1 }: ProductQuery): string {
  const chosen = [brand, kind, category && `Origin ${category}`].filter(Boolean).join(', ') || 'Products'
  return `${q ? `“${q}” in ${chosen}` : chosen}${page > 1 ? `, page ${page}` : ''}`
}
