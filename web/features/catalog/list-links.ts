import type { productParameters } from '../../../contract/product-filters.ts'

type Parameter = (typeof productParameters)[number]

/** The address of the same list with other parameters, from its first page on; an empty one is left out. */
export function listLink(search: string, changes: Partial<Record<Parameter, string>>): string {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next.size > 0 ? `/products?${next}` : '/products'
}
