import type { Kysely } from 'kysely'
import { bikePath } from '../../../contract/bike-urls.ts'
import type { BikeMatch, BikeReading } from '../../../contract/bikes.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { productPath } from '../../../contract/product.ts'
import { maxSuggestions, type Suggestion } from '../../../contract/suggestions.ts'
import { toYearRanges } from '../../../contract/year-ranges.ts'
import type { Database } from '../../../db/schema.ts'
import { correctBikeNames, findBikeMatches, findBikeSearch, findMakesByStart } from '../bikes/service.ts'
import type { SearchQuery } from './search/search.ts'
import { listWithFacets } from './service.ts'

/** At most this many of each type, so that none fills the list. */
const limits = { bike: 2, make: 2, kind: 2, brand: 1 }

/**
 * Finds pages that a text may mean: bikes, makes, lists of parts for them, kinds of part, brands, and products by name or
 * part number. If nothing else matches, names of bikes may be misspelled.
 */
export async function suggest(db: Kysely<Database>, q: string): Promise<Suggestion[]> {
  if (!/[\p{L}\p{N}]/u.test(q)) return []
  const typed = await suggestFor(db, q)
  const corrected = typed.ofBikes.length > 0 || typed.isExact ? null : await correctBikeNames(db, q)
  const other = corrected === null ? null : await suggestFor(db, corrected)
  const { ofBikes, others } = other && other.ofBikes.length > 0 ? other : typed
  return [...ofBikes, ...others].slice(0, maxSuggestions)
}

/** `isExact`: products have the words as they are written. */
async function suggestFor(db: Kysely<Database>, text: string) {
  const reading = await findBikeSearch(db, text)
  const parts = reading && readParts(reading)
  const [matches, makes, { list, facets: counted, isForBike }] = await Promise.all([
    findBikeMatches(db, text),
    findMakesByStart(db, text),
    findProducts(db, text, parts),
  ])
  const { facets } = counted
  const models = listModels(reading, matches, isForBike)
  const isOther = (match: BikeMatch) =>
    models.every(({ make, model }) => make !== match.make || model !== match.model)
  const bikes = [...models, ...matches.filter(isOther)]
  const isPartsList = isForBike || parts?.query.q === ''
  const partKinds = facets.kind.values.map(({ value }) => value)
  const ofBikes =
    bikes.length > 0
      ? suggestBikes(bikes, makes)
      : isPartsList
        ? suggestParts(text, reading, parts, partKinds)
        : []
  const kinds = facets.kind.values
    .slice(0, isForBike ? 0 : limits.kind)
    .map(({ value }): Suggestion => ({ type: 'kind', name: value, path: listPath({ kind: value }) }))
  const brands = facets.brand.values
    .filter(({ value }) => value.toLowerCase().startsWith(text.trim().toLowerCase()))
    .slice(0, limits.brand)
    .map(({ value }): Suggestion => ({ type: 'brand', name: value, path: listPath({ brand: value }) }))
  const products = list.rows.map(
    ({ id, name, sku }): Suggestion => ({
      type: 'product',
      name,
      number: list.matchedNumbers.get(id) ?? (sku && startsWithNumber(sku, text) ? sku : undefined),
      path: productPath({ _id: id, name }),
    }),
  )
  return {
    ofBikes,
    others: [...kinds, ...brands, ...products],
    isExact: list.total > 0 && list.searchedFor === undefined,
  }
}

interface Parts {
  /** The bike or the make. */
  owner: string
  query: SearchQuery & { q: string }
}

/** Returns the parts that a text asks for beside a bike or a make, as the list of products reads it. */
function readParts({ read, make }: BikeReading): Parts | null {
  if (read) {
    const owner = read.isOtherYear ? withYears(read.name, read.years) : read.name
    return { owner: `the ${owner}`, query: { q: read.rest, bikes: read.bikes } }
  }
  if (!make) return null
  return { owner: make.name, query: { q: make.rest, make: { words: make.name, models: make.modelIds } } }
}

/** Finds the products for a bike or a make that have the words beside it. If there are none, those that have all words. */
async function findProducts(db: Kysely<Database>, text: string, parts: Parts | null) {
  const pageSize = maxSuggestions
  if (parts && parts.query.q !== '') {
    const found = await listWithFacets(db, { ...parts.query, pageSize })
    if (found.list.total > 0) return { ...found, isForBike: true }
  }
  return { ...(await listWithFacets(db, { q: text, pageSize })), isForBike: false }
}

type NamedMake = { make: string; name: string }

/**
 * Lists the models that a text names without saying which bike: several with one name, or one that the shop lacks for the typed
 * year. That one comes before models of the year whose names only begin alike.
 */
function listModels(reading: BikeReading | null, matches: BikeMatch[], isForBike: boolean): BikeMatch[] {
  const { read = null, models = [] } = reading ?? {}
  if (read?.isOtherYear && !isForBike) return [read]
  return models.length > 1 && matches.length > 0 ? [] : models.slice(0, limits.bike)
}

/** The page of a make has all of its models. */
function suggestBikes(bikes: BikeMatch[], makes: NamedMake[]): Suggestion[] {
  const others = bikes.filter(({ make }) => makes.every((each) => each.make !== make))
  return [...makes.slice(0, limits.make).map(toMake), ...others.slice(0, limits.bike).map(toBike)]
}

/** The lists of the parts for the bike or the make of a text, by kind if it names one, and the page of the make. */
function suggestParts(
  text: string,
  reading: BikeReading | null,
  parts: Parts | null,
  kinds: string[],
): Suggestion[] {
  if (!parts) return []
  const { owner, query } = parts
  const q = text.trim()
  const ofKinds = kinds
    .filter((kind) => startsWords(kind, query.q))
    .slice(0, limits.kind)
    .map((kind): Suggestion => ({ type: 'parts', name: `${kind} for ${owner}`, path: listPath({ q, kind }) }))
  const name = query.q === '' ? `Parts for ${owner}` : `Parts matching “${query.q}” for ${owner}`
  const list: Suggestion = { type: 'parts', name, path: listPath({ q }) }
  return [...(ofKinds.length > 0 ? ofKinds : [list]), ...(reading?.make ? [toMake(reading.make)] : [])]
}

/** Whether at least one word is typed, and each begins a word of the name. */
function startsWords(name: string, typed: string): boolean {
  const toWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const words = toWords(typed)
  return words.length > 0 && words.every((word) => toWords(name).some((each) => each.startsWith(word)))
}

const toMake = ({ make, name }: NamedMake): Suggestion => ({ type: 'make', name, path: bikePath(make) })

/** The years of a model say that the shop does not have the typed one. */
const withYears = (name: string, years: number[]) => `${name}, ${toYearRanges([...new Set(years)])}`

const toBike = ({ name, make, model, year, years }: BikeMatch): Suggestion => ({
  type: 'bike',
  name: years ? withYears(name, years) : name,
  path: bikePath(make, model, year),
})

const startsWithNumber = (sku: string, typed: string) => {
  const key = toNumberKey(typed)
  return key.length > 2 && toNumberKey(sku).startsWith(key)
}

const listPath = (query: Record<string, string>) => `/products?${new URLSearchParams(query)}`
