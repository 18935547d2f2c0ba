import type { Product } from '../../../contract/catalog.ts'

/** Number of characters that search engines show of a description. */
const maxSummaryLength = 160

/** One-line description for search engines and link previews. Starts with the name and the part number. */
export function productSummary({ name, sku, description }: Product): string {
  const line = `${name}${sku ? `, ${sku}` : ''}: ${description}`.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxSummaryLength) return line
  const wordsEnd = line.lastIndexOf(' ', maxSummaryLength)
  // Chinese has no spaces, so cut it between any two characters.
  const start = wordsEnd > maxSummaryLength / 2 ? line.slice(0, wordsEnd) : line.slice(0, maxSummaryLength)
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}…`
}
