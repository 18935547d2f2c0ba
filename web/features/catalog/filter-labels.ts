import { type FacetName, type PriceBand, priceBands } from '../../../contract/product-filters.ts'

/** A value of a filter as a person reads it. */
export function filterLabel(name: FacetName, value: string): string {
  if (name === 'inStock') return 'In stock'
  if (name !== 'price') return value
  const [from, below] = priceBands[value as PriceBand]
  if (from === 0) return `Under $${below}`
  return Number.isFinite(below) ? `$${from} to $${below}` : `$${from} and more`
}

const counts = new Intl.NumberFormat('en-US')

/** How many; what is estimated says so. */
export const countLabel = (count: number, estimated: boolean): string =>
  `${estimated ? 'about ' : ''}${counts.format(count)}`
