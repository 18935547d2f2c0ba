import { readAttributeChoice, readRange, toRangeText } from '../../../contract/attribute-values.ts'
import { ProductQuery } from '../../../contract/catalog.ts'
import {
  facets,
  landingFacets,
  maxChosenValues,
  productParameters,
} from '../../../contract/product-filters.ts'
import { toDecimalPoint } from '../../../contract/typed-numbers.ts'
import type { ProductList } from '../../page-context.ts'
import { countLabel } from './filter.tsx'
import { listLink, listPath } from './list-links.ts'

const multiple = new Set<string>([
  'fit',
  'attribute',
  ...facets.filter((facet) => facet.multiple).map(({ name }) => name),
])

/** Reads the query of the product list from its URL. Values that are not valid are ignored. For the server. */
export function readListQuery({ searchParams }: URL): ProductQuery {
  const valid = productParameters.flatMap((name) => {
    const schema = ProductQuery.shape[name]
    const texts = searchParams
      .getAll(name)
      .map((text) => (name === 'q' ? text.slice(0, 500) : text).trim())
      .filter((text) => text !== '' && schema.safeParse(text).success)
    if (texts.length === 0) return []
    return [[name, schema.parse(multiple.has(name) ? texts.slice(0, maxChosenValues) : texts[0])]]
  })
  return Object.fromEntries(valid)
}

/** The ends of a number as they were typed for an attribute, and why they are refused. */
export interface RefusedRange {
  name: string
  from: string
  to: string
  error: { end: 'from' | 'to'; message: string }
}

const isEnd = (text: string) => text === '' || readRange(`${text}..`) !== null

/**
 * Reads the form with the two ends of a number. A range replaces the other choices of its attribute, and two empty fields
 * remove them.
 *
 * @returns the path of the list with the range as a filter, or why it is refused; null for a URL without the form
 */
export function readRangeForm(url: URL): { path: string } | RefusedRange | null {
  if (!url.searchParams.has('range')) return null
  const read = (parameter: 'range' | 'from' | 'to') =>
    (url.searchParams.get(parameter) ?? '').trim().slice(0, 100)
  const [name, from, to] = [read('range'), toDecimalPoint(read('from')), toDecimalPoint(read('to'))]
  const refuse = (end: 'from' | 'to', message: string) => ({ name, from, to, error: { end, message } })
  const noNumber = 'Enter a number, such as 140 or 12.5'
  if (!isEnd(from)) return refuse('from', noNumber)
  if (!isEnd(to)) return refuse('to', noNumber)
  const range = readRange(`${from}..${to}`)
  if (!range && from + to !== '') return refuse('to', `Enter at least ${from}`)
  const { page: _, attribute = [], ...query } = readListQuery(url)
  const others = attribute.filter((choice) => readAttributeChoice(choice).name !== name)
  const choices = range ? [...others, `${name}:${toRangeText(range)}`] : others
  return { path: `${listPath}?${listSearch({ ...query, attribute: choices.toSorted() })}` }
}

/** The same query as search parameters, always in the same order. */
export function listSearch(query: ProductQuery): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return new URLSearchParams(parameters).toString()
}

/** Title of the list: each search, each choice, each bike and each page has its own. */
export function listTitle(
  { q, kind = [], brand = [], certificate = [], category = [], page = 1 }: ProductQuery,
  bike?: string,
): string {
  const origin = category.length > 0 ? `Origin ${category.join(' or ')}` : ''
  const chosen =
    [brand, kind, certificate]
      .map((values) => values.join(' or '))
      .concat(origin)
      .filter(Boolean)
      .join(', ') || 'Products'
  const list = `${q ? `“${q}” in ${chosen}` : chosen}${bike ? ` for the ${bike}` : ''}`
  return `${list}${page > 1 ? `, page ${page}` : ''}`
}

/**
 * Returns the canonical path of a list page: the whole list, or one kind, brand or category. Returns null for a page
 * without products and for all other queries, which show the same products again.
 *
 * @param query the valid parameters of the URL
 * @param shown number of products on the page
 */
export function listCanonical({ page = 1, ...chosen }: ProductQuery, shown: number): string | null {
  const [name, ...others] = Object.keys(chosen)
  const landing = landingFacets.find((one) => one === name)
  const isWhole = name === undefined
  const isLanding = landing && others.length === 0 && chosen[landing]?.length === 1
  if (shown === 0 || !(isWhole || isLanding)) return null
  return listLink(listSearch(chosen), { page: page > 1 ? String(page) : '' })
}

interface SearchedList {
  q: string
  typed: string
  hasModels: boolean
  hasMisfits: boolean
  isFitKnown: boolean
}

/**
 * Describes how many products a list has and how its words were read.
 *
 * @param list if no product fits the bike: the number of those that are listed behind them
 * @param typed the words of the search without the bike or make
 * @param hasModels whether the words may name a bike
 * @param hasMisfits whether products that do not fit the bike are listed
 * @param isFitKnown whether all listed products are confirmed to fit the bike or are gear
 */
export function listNote(
  { total, estimated, searchedFor, unknown, size, missingSize }: ProductList,
  { q, typed, hasModels, hasMisfits, isFitKnown }: SearchedList,
): string {
  const count = countLabel(total, estimated)
  const results = `${count} ${total === 1 ? 'result' : 'results'}`
  // All words are dropped only beside a bike.
  const shown =
    searchedFor === ''
      ? `${count} ${total === 1 ? 'part' : 'parts'} for the bike`
      : `${results} for “${searchedFor}”`
  if (missingSize) return `Nothing in size ${missingSize}. Showing ${shown}.`
  if (unknown?.length) {
    const words = unknown.map((word) => `“${word}”`).join(', ')
    const start = hasModels ? `No product has ${words}` : `We don't know ${words}`
    // The words may be a part number, which even a part that fits can differ from.
    const isChecked = isFitKnown && !unknown.some((word) => /\d/.test(word))
    return `${start}. Showing ${shown}${isChecked ? '' : '; compare the part number'}.`
  }
  // Words around the bike are not quoted as one phrase.
  const quoted = q.includes(typed) ? typed : q
  if (size) return capitalize(`${results} in size ${size} for “${quoted}”`)
  if (searchedFor !== undefined && total > 0) return `No results for “${quoted}”. Showing ${shown}.`
  if (q && total === 0) return `No ${hasMisfits ? 'fitting parts' : 'results'} for “${q}”`
  return capitalize(q ? `${results} for “${q}”` : `${count} ${total === 1 ? 'product' : 'products'}`)
}

/** The count of an estimate starts with `about`. */
const capitalize = (note: string): string => note.replace(/^about/, 'About')

interface EmptyList {
  /** Products on all pages. */
  total: number
  search: string
  /** The searched words beside the bike. */
  words: string
  /** The name of the bike or model that the list is for. */
  name: string | undefined
  /** The bike; null for a model. */
  bikeId: number | null
}

/** Explains a page of the list without products, with a link that leads on. */
export function explainNothing({ total, search, words, name, bikeId }: EmptyList) {
  if (total > 0) {
    return {
      title: 'No products on this page',
      hint: 'The list has fewer pages.',
      label: 'Go to first page',
      href: listLink(search, {}),
    }
  }
  const label = 'Show all products'
  if (name === undefined) {
    return {
      title: 'No products found',
      hint: 'Remove a filter, use fewer words or check the spelling.',
      label,
      href: listPath,
    }
  }
  if (words === '') {
    return {
      title: `No parts here are confirmed to fit the ${name}`,
      hint: 'Remove a filter or look at universal parts.',
      label,
      href: listPath,
    }
  }
  // The words say nothing about the fit.
  return {
    title: `No parts for the ${name} match “${words}”`,
    hint: 'Remove a filter, use fewer words or check the spelling.',
    label: `Show all parts for the ${name}`,
    href: listLink('', bikeId === null ? { q: name } : { bike: `${bikeId}` }),
  }
}
