import { type RawBuilder, sql } from 'kysely'
import { type ProductQuery } from '../../../../contract/catalog.ts'
import { toCents } from '../../../../contract/money.ts'
import { type FacetName, priceBandNames, priceBands } from '../../../../contract/product-filters.ts'

/** What is filtered by; unlimited else of a `ProductQuery` is order and place. */
export type Filters = Pick<ProductQuery, FacetName>

/** What somebody typed, as Postgres searches for it. */
export interface ParsedQuery {
  /** A `tsquery`, as text. */
  query: string
  /** All of it as a part number, without dashes, spaces and case; empty where it can't be one. */
  partNumber: string
}

export type Condition = RawBuilder<unknown>
export const all = (conditions: Condition[]): Condition => sql.join(conditions, sql` and `)

/** The filters one by one, for the indexes of each order. */
export function filterConditions({ category, kind, brand, price, inStock }: Filters): Condition[] {
  const conditions = [sql`deleted_at is null`]
  if (category) conditions.push(sql`category = ${category}`)
  if (kind) conditions.push(sql`kind = ${kind}`)
  if (brand) conditions.push(sql`brand = ${brand}`)
  if (price) {
    const [from, below] = priceBands[price]
    conditions.push(sql`price_cents >= ${toCents(from)}`)
    if (Number.isFinite(below)) conditions.push(sql`price_cents < ${toCents(below)}`)
  }
  if (inStock) conditions.push(sql`stock >= minimum_quantity`)
  return conditions
}

/** The same as words of the document, so that one index answers search and filters together. */
function toFilterLexemes({ category, kind, brand, price }: Filters): string[] {
  const band = price && priceBandNames.indexOf(price)
  return Object.entries({ category, kind, brand, price: band }).flatMap(([name, value]) =>
    value === undefined ? [] : [toFilterLexeme(name, value)],
  )
}

/** A word of the document that stands for a value that is filtered by. */
export const toFilterLexeme = (name: string, value: string | number) => quoteLexeme(`:${name}:${value}`)

const quoteLexeme = (text: string) => `'${text.replaceAll(/['\\]/g, '$&$&')}'`

/** The rows that search and filters leave, by the index over documents. */
export function matchingRows(columns: Condition, filters: Filters, words: ParsedQuery | null): Condition {
  const wanted = toFilterLexemes(filters)
  const hits = (document: string[]) => {
    const conditions = [sql`deleted_at is null`]
    if (filters.inStock) conditions.push(sql`stock >= minimum_quantity`)
    if (document.length > 0) conditions.push(sql`document @@ ${document.join(' & ')}::tsquery`)
    return sql`select ${columns} from products where ${all(conditions)}`
  }
  if (!words) return hits(wanted)
  const byWords = hits([`(${words.query})`, ...wanted])
  if (!words.partNumber) return byWords
  const byNumber = hasNumber(words.partNumber)
  return sql`(${hits(wanted)} and ${byNumber}) union all (${byWords} and ${byNumber} is not true)`
}

/** Whose part number begins so, or whose GTIN it is: a letter or digit is less than a `[` in the column's order. */
export const hasNumber = (partNumber: string) => sql`
  (sku_key >= ${partNumber} and sku_key < ${partNumber} || '[' or gtin = ${partNumber})`

/** The rows of the summary that filters leave. */
export function countConditions({ category, kind, brand, price, inStock }: Filters): Condition {
  const conditions = [sql`true`]
  if (category) conditions.push(sql`category = ${category}`)
  if (kind) conditions.push(sql`kind = ${kind}`)
  if (brand) conditions.push(sql`brand = ${brand}`)
  if (price) conditions.push(sql`price_band = ${priceBandNames.indexOf(price)}`)
  if (inStock) conditions.push(sql`in_stock`)
  return all(conditions)
}
