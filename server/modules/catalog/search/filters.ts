import { type RawBuilder, sql } from 'kysely'
import type { NumberRange } from '../../../../contract/attribute-values.ts'
import { listGtins } from '../../../../contract/part-numbers.ts'
import { type Chosen, type FitChoice, facetNames } from '../../../../contract/product-filters.ts'
import { isSold } from '../sold.ts'
import type { ChosenAttribute, ParsedQuery } from './types.ts'

/** A `tsquery` without matches. */
export const matchesNothing = "':nothing'"

export type Condition = RawBuilder<unknown>

/** Terms in `products.terms`: the values of facets, and the fit of a product without a complete list of bikes. */
export type ChosenTerms = Chosen & { fit?: ('universal' | 'gear' | 'open')[] }

/** The conditions of a search: terms, words, and fit for a bike. */
export interface Match {
  chosen: ChosenTerms
  words: ParsedQuery | null
  /** A `tsquery` on the terms of bikes in `products.document`; null: no such condition. */
  fit: string | null
  /** Values of attributes. All of the attributes must match. */
  attributes?: ChosenAttribute[] | undefined
  /** Another condition, which no index has: it is checked for each row. */
  narrowing?: Condition | undefined
  /** Deleted products are searched, whose part numbers are removed. */
  isDeleted?: boolean
}

/** The filter by fit. */
export interface FitFilter {
  /** A product must have the chosen fit for one of them. */
  bikes: number[]
  choices: FitChoice[]
}

/** The conditions of a search without words. The fit is one of the terms if it is the same for all bikes. */
export function toMatch(chosen: Chosen, filter: FitFilter): Omit<Match, 'words'> {
  const terms = filter.choices.filter((choice) => choice === 'universal' || choice === 'gear')
  return terms.length > 0 && terms.length === filter.choices.length
    ? { chosen: { ...chosen, fit: terms }, fit: null }
    : { chosen, fit: toFitQuery(filter) }
}

/** A `tsquery` on `products.document`: one of the chosen fits. Null if nothing is chosen. */
export function toFitQuery({ bikes, choices }: FitFilter): string | null {
  const chosen = choices.length > 0 ? choices : bikes.length > 0 ? (['fits'] as const) : []
  if (chosen.length === 0) return null
  const terms = chosen.flatMap((choice) => {
    if (choice === 'universal' || choice === 'gear') return [`':fit:${choice}'`]
    return bikes.length > 0 ? [toBikeQuery[choice](bikes)] : []
  })
  // A fit that needs a bike matches nothing without one.
  return terms.length > 0 ? terms.join(' | ') : matchesNothing
}

const anyOf = (term: ':bike' | ':some', bikes: number[]) =>
  bikes.map((bike) => `'${term}:${bike}'`).join(' | ')

/** A part has one of these fits for several bikes, such as all years of a model. */
const toBikeQuery = {
  fits: (bikes: number[]) => anyOf(':bike', bikes),
  some: (bikes: number[]) => `((${anyOf(':some', bikes)}) & !(${anyOf(':bike', bikes)}))`,
  /** The list is incomplete, and silent about all of the bikes. */
  unconfirmed: (bikes: number[]) => `(':fit:open' & !(${toNamedQuery(bikes)}))`,
}

/** A `tsquery`: the list of the part has one of the bikes, or a version of it. */
export const toNamedQuery = (bikes: number[]): string => `${anyOf(':bike', bikes)} | ${anyOf(':some', bikes)}`

/** A `tsquery` on `products.terms`: one of the chosen values of each name. Null if nothing is chosen. */
export function toTermsQuery(chosen: ChosenTerms): string | null {
  const groups = ([...facetNames, 'fit'] as const).flatMap((name) => {
    const terms = (chosen[name] ?? []).map((value) => quoteTerm(name, value))
    return terms.length > 0 ? [`(${terms.join(' | ')})`] : []
  })
  return groups.length > 0 ? groups.join(' & ') : null
}

/** The term of a facet value, for a `tsquery`. */
export const quoteTerm = (name: string, value: string) =>
  `'${`${name}:${value}`.replaceAll(/['\\]/g, '$&$&')}'`

/** Condition on a table with `terms`. It can use the index products_search_all. */
export function hasTerms(chosen: ChosenTerms): Condition {
  const terms = toTermsQuery(chosen)
  return terms === null ? sql`true` : sql`terms @@ ${terms}::tsquery`
}

/** The facet whose term most products have: reading all of it in the index takes longer than checking the other hits. */
const commonFacet = 'inStock'

/** Whether the index is read by terms, besides words or fit. */
export const hasIndexedTerms = ({ [commonFacet]: _common, ...rare }: ChosenTerms): boolean =>
  toTermsQuery(rare) !== null

/** The same condition without an index. */
function hasTermsInRow(chosen: ChosenTerms): Condition {
  const terms = toTermsQuery(chosen)
  return terms === null ? sql`true` : sql`ts_match_vq(terms, ${terms}::tsquery)`
}

/**
 * The matching rows, read by the index products_search_all. A part number is another way to match the words.
 *
 * @param more another condition on the rows
 * @param scope the products that are searched. Default: those for sale
 */
export function matchingRows(
  columns: Condition,
  { chosen, words, fit, attributes, narrowing = sql`true`, isDeleted = false }: Match,
  more: Condition = sql`true`,
  scope: Condition = isSold,
): Condition {
  const { [commonFacet]: common = [], ...rare } = chosen
  const canUseIndex = words !== null || fit !== null || hasIndexedTerms(chosen)
  const rows = sql`select ${columns} from products where ${scope} and ${more} and ${narrowing}
    and ${hasAttributes(attributes)}
    and ${canUseIndex ? sql`${hasTerms(rare)} and ${hasTermsInRow({ [commonFacet]: common })}` : hasTerms(chosen)}
    and ${fit === null ? sql`true` : sql`document @@ ${fit}::tsquery`}`
  if (!words) return rows
  const byWords = sql`${rows} and document @@ ${words.query}::tsquery`
  if (!words.partNumber) return byWords
  const byNumber = hasNumber(words.partNumber, isDeleted)
  return sql`(${rows} and ${byNumber}) union all (${byWords} and not ${byNumber})`
}

/** Exact values can use the index products_attributes_value. Ranges are checked for each row. */
function hasAttributes(chosen: ChosenAttribute[] = []): Condition {
  const all = chosen.map(({ name, values, ranges }) => {
    const exact = [...values, ...ranges.flatMap(({ from, to }) => (from === to ? [from] : []))]
    const each = ranges.filter(({ from, to }) => from !== to).map((range) => hasNumberInRange(name, range))
    if (exact.length > 0) {
      const objects = exact.map((value) => JSON.stringify({ [name]: value }))
      each.push(sql`attributes @> any(${objects}::jsonb[])`)
    }
    return sql`(${sql.join(each, sql` or `)})`
  })
  return all.length > 0 ? sql`attributes <> '{}' and ${sql.join(all, sql` and `)}` : sql`true`
}

/** Every number of the shop is between these bounds. */
const numberBound = 1e9

/** A path finds only numbers, so a text from an earlier choice does not cause an error. */
function hasNumberInRange(name: string, { from, to }: NumberRange): Condition {
  const path = `$.${JSON.stringify(name)} ? (@ >= $from && @ <= $to)`
  const bounds = JSON.stringify({ from: Math.max(from, -numberBound), to: Math.min(to, numberBound) })
  return sql`jsonb_path_exists(attributes, ${path}::jsonpath, ${bounds}::jsonb)`
}

/** The same conditions without an index, for rows for sale that another index reads in order. */
export function isMatch({ chosen, words, fit, attributes, narrowing = sql`true` }: Match): Condition {
  return sql`${hasTermsInRow(chosen)}
    and ${fit === null ? sql`true` : sql`ts_match_vq(document, ${fit}::tsquery)`}
    and ${words ? hasWords(words) : sql`true`} and ${narrowing} and ${hasAttributes(attributes)}`
}

/** Whether a search has conditions besides the chosen terms, whose products are counted. */
export const isSearch = ({ words, fit, attributes = [], narrowing }: Match): boolean =>
  words !== null || fit !== null || attributes.length > 0 || narrowing !== undefined

const hasWords = ({ query, partNumber }: ParsedQuery) =>
  partNumber === ''
    ? sql`ts_match_vq(document, ${query}::tsquery)`
    : sql`(ts_match_vq(document, ${query}::tsquery) or ${hasNumber(partNumber)})`

/**
 * The beginning of a part number, the GTIN in any of its lengths, or exactly the part number of a product that this one replaces.
 * Letters and digits sort before `[` in the collation of the columns.
 *
 * @param isRemoved finds the numbers of removed variants
 */
export const hasNumber = (partNumber: string, isRemoved = false): Condition =>
  hasAnyNumber(
    sql`sku_key >= ${partNumber} and sku_key < ${partNumber} || '['${orGtin(partNumber)}`,
    sql`number_key >= ${partNumber} and number_key < ${partNumber} || '['`,
    partNumber,
    isRemoved,
  )

/** Exactly a part number, the GTIN, or the part number of a product that this one replaces. */
export const hasExactNumber = (partNumber: string): Condition =>
  hasAnyNumber(sql`sku_key = ${partNumber}${orGtin(partNumber)}`, sql`number_key = ${partNumber}`, partNumber)

/** Another way to match a number with the length of a GTIN. An empty list would make Postgres read an unrelated index. */
function orGtin(partNumber: string): Condition {
  const gtins = listGtins(partNumber)
  return gtins.length > 0 ? sql` or gtin = any(${gtins}::text[])` : sql``
}

/** Read with the indexes of each table, and only once for all rows. */
const hasAnyNumber = (
  variant: Condition,
  number: Condition,
  replaced: string,
  isRemoved = false,
): Condition =>
  sql`id in (
    select product_id from variants where removed_at is ${isRemoved ? sql`not null` : sql`null`} and (${variant})
    union all select product_id from part_numbers where ${number}
    union all select product_id from find_replacements(${replaced}))`
