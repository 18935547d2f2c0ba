import { type FacetName, type PriceBand, priceBands } from '../../../contract/product-filters.ts'

/** Display text of a filter value. */
export function filterLabel(name: FacetName, value: string): string {
  if (name === 'inStock') return 'In stock'
  if (name !== 'price') return value
  const [from, below] = priceBands[value as PriceBand]
  if (from === 0) return `Under $${below}`
  return Number.isFinite(below) ? `$${from} to $${below}` : `$${from} and up`
}

const counts = new Intl.NumberFormat('en-US')

/** Formats a count; an estimate starts with `about`. */
export const countLabel = (count: number, estimated: boolean): string =>
  `${estimated ? 'about ' : ''}${counts.format(count)}`
