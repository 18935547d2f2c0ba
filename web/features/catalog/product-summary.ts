import type { Product } from '../../../contract/catalog.ts'

/** As much as search engines show of a page's description. */
const maxSummaryLength = 160

/** A product in one line, for search engines and for where its page is shared: no other product's reads the same. */
export function productSummary({ name, sku, description }: Product): string {
  const line = `${name}${sku ? `, ${sku}` : ''}: ${description}`.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxSummaryLength) return line
  const wordsEnd = line.lastIndexOf(' ', maxSummaryLength)
  // Chinese has no spaces: there it is cut between any two characters.
  const start = wordsEnd > maxSummaryLength / 2 ? line.slice(0, wordsEnd) : line.slice(0, maxSummaryLength)
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}…`
}
