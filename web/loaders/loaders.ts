import { toRows } from '../../contract/attribute-values.ts'
import { maxFitmentsOnProductPage, toBikeSlug } from '../../contract/bike-urls.ts'
import type { Bike, BikeReading } from '../../contract/bikes.ts'
import type { FitCounts, ProductFacets, ProductQuery } from '../../contract/catalog.ts'
import { toKnownChoice } from '../../contract/choice.ts'
import { choiceSearch, readChoice } from '../../contract/choice-urls.ts'
import { productPath, toSlug } from '../../contract/product.ts'
import { detailColumns } from '../../contract/product-columns.ts'
import { filterNames } from '../../contract/product-filters.ts'
import { toYearRanges } from '../../contract/year-ranges.ts'
import {
  explainNothing,
  listCanonical,
  listNote,
  listSearch,
  listTitle,
  readListQuery,
  readRangeForm,
} from '../features/catalog/list-query.ts'
import type { ListQuery, PageQueries, ProductList } from '../page-context.ts'
import {
  loadBikeMake,
  loadBikeModel,
  loadBikes,
  loadBikeYear,
  loadProductFitment,
  readPage,
} from './bikes.ts'
import { loadBlogs, loadDocument } from './content.ts'
import { describeBike, describeMake, findListBike } from './fit-sentences.ts'

export interface LoaderRequest {
  /** URL of the page. Its host has no meaning. */
  url: URL
  params: Record<string, string>
  queries: PageQueries
}

/**
 * Data of a page, with the status if it is not 200, or the path to redirect to: with its own query, or with the same. `search` is the query
 * without values that the page ignores: URLs with the same one share a page.
 */
type Loaded<Data> = ({ data: Data; status?: number } | { redirect: string }) & { search?: string }

/** Reads the data of a page. Runs only on the server; the data are sent to the browser as JSON. */
type Loader<Data = unknown> = (request: LoaderRequest) => Promise<Loaded<Data>>

/** Type of the data that a loader returns. */
export type LoaderData<Load extends Loader> = Extract<Awaited<ReturnType<Load>>, { data: unknown }>['data']

export async function loadHome({ queries }: LoaderRequest) {
  const [products, { reviews }, kinds, { details }] = await Promise.all([
    queries.homeProducts(),
    queries.reviews({ pageSize: 3 }),
    queries.topKinds(),
    queries.settings(),
  ])
  return { data: { ...details.home, products, reviews, kinds } }
}

/** The contact data of the shop. */
const loadContact = async ({ queries }: LoaderRequest) => ({
  data: (await queries.settings()).details.contact,
})

/** The rows of a product's details, so that the browser does not load the list of columns. The returns are beside the price. */
const details = detailColumns
  .filter(({ name }) => name !== 'returns')
  .map(({ name, label }) => ({ name, label }))

/** Finds a product by its id. Redirects to its canonical path if the slug does not match its name. */
export async function loadProduct({ url, params: { id = '', slug }, queries }: LoaderRequest) {
  const [found, delivery, fit] = await Promise.all([
    queries.productPage(id),
    queries.delivery(),
    queries.productFit(id, { page: 1, pageSize: maxFitmentsOnProductPage }),
  ])
  if (found === null) return { data: { missing: missing.unknown }, status: 404 }
  if (found === 'hidden') return { data: { missing: missing.hidden }, status: 404 }
  if (found === 'gone') return { data: { missing: missing.gone, replacedBy: fit.replacedBy }, status: 410 }
  const search = choiceSearch(toKnownChoice(found.product, readChoice(url.search)))
  if (slug !== toSlug(found.product.name)) return { redirect: productPath(found.product), search }
  const rows = toRows(found.product.attributes)
  return { data: { ...found, delivery, fit, details, rows }, search }
}

/** Texts about a product that is not for sale. */
const missing = {
  unknown: { title: 'Product not found', text: 'Check the spelling of the address.' },
  hidden: {
    title: 'This product is not available at the moment',
    text: 'We may sell it again later. Existing orders are not affected.',
  },
  gone: {
    title: 'This product is no longer available',
    text: 'We no longer sell this product. Existing orders are not affected.',
  },
}

const pageSize = 24

export async function loadProducts({ url, queries }: LoaderRequest) {
  const range = readRangeForm(url)
  if (range && 'path' in range) return { redirect: range.path }
  const { page = 1, ...typed } = readListQuery(url)
  const valid = await withValidAttributes(queries, typed)
  const chosenBike = valid.bike === undefined ? null : await queries.bike(valid.bike)
  if (valid.bike !== undefined && !chosenBike) return { data: 'unknown bike' as const, status: 404 }
  const { query, bike, named, asked, list, facets } = await readList(queries, valid, chosenBike, page)
  const read = (!bike && named?.read) || null
  const make = (!bike && named?.make) || null
  const unread = list.total === 0 && !named ? query.q : list.unknown?.join(' ')
  const isLast = page * pageSize >= list.reachableTotal && !query.fit?.length
  const [others, models, sameNumber] = await Promise.all([
    isLast ? loadOthers(queries, { ...asked, q: list.searchedFor ?? asked.q }, list, facets.fit) : [],
    unread && !read ? queries.bikeMatches(unread) : (named?.models ?? []),
    query.q && read?.rest === '' ? queries.productsByNumber(query.q) : [],
  ])
  const behind = others.filter(({ fit }) => fit !== 'misfit')
  const pages = Math.max(1, Math.ceil(list.reachableTotal / pageSize))
  /** The searched text without the bike or make that it names. */
  const words = asked.q ?? ''
  const { q = '', sort = '', bike: _bike, fit = [], plain, ...chosen } = query
  /** The words beside the bike or make; empty if the text names neither. */
  const matching = list.searchedFor ?? (words === q ? '' : words)
  const ofMake = make && { ...make, isIgnored: asked.make === undefined }
  const described = { ...list, bike, read, fit, matching, others }
  const bikeId = findListBike(described)
  const isConfirmed = (bike !== null || read !== null) && fit.every((choice) => choice === 'fits')
  const data = {
    ...list,
    facets,
    q,
    sort,
    chosen,
    /** Numbers of a filter that are not a range. */
    range,
    bike,
    fit,
    plain: plain !== undefined,
    /** How the words were read, if they name a bike. */
    read,
    /** Products whose number is the name of that bike too. */
    sameNumber,
    /** Models that the words may name, if they were not read. */
    models,
    words,
    matching,
    /** The make that the words name; `isIgnored` if it has none of the products. */
    make: ofMake && { ...ofMake, sentence: describeMake(described, ofMake) },
    sentence: describeBike(described),
    /** The bike that the list is for. Null also for a model without one of its years. */
    bikeId,
    /** The years of a model, if the words have another one. */
    listed: read?.isOtherYear ? toYearRanges(read.years) : '',
    /** Products behind the last one that fits the bike or is for the make. */
    others,
    page,
    pages,
    before: (page - 1) * pageSize,
    note: [
      range && `The filter “${range.name}” is not applied. ${range.error.message}.`,
      listNote(list.total > 0 ? list : { ...list, ...sumUp(behind) }, {
        q,
        typed: words,
        hasModels: models.length > 0,
        hasMisfits: others.length > behind.length,
        isFitKnown:
          list.total > 0
            ? isConfirmed || list.products.every(({ fitKind }) => fitKind === 'gear')
            : behind.every((group) => group.fit === 'gear'),
      }),
    ]
      .filter(Boolean)
      .join(' '),
    search: listSearch(query),
    /** Replaces the grid of a page without products. */
    nothing:
      list.products.length === 0
        ? explainNothing({
            total: list.total,
            search: listSearch(query),
            words,
            name: bike?.name ?? read?.name,
            bikeId,
          })
        : null,
    title: listTitle({ ...query, page }, bike?.name),
    canonical: listCanonical({ ...query, page }, list.products.length),
  }
  return { data, status: page > pages ? 404 : 200 }
}

/** Removes choices of attributes that the only kind does not define, for example after an admin has renamed one. */
async function withValidAttributes(
  queries: PageQueries,
  { attribute = [], ...query }: ProductQuery,
): Promise<ProductQuery> {
  const [kind, ...otherKinds] = query.kind ?? []
  if (attribute.length === 0 || kind === undefined || otherKinds.length > 0) return query
  const valid = await queries.attributeChoices(kind, attribute)
  return valid.length > 0 ? { ...query, attribute: valid } : query
}

/**
 * Searches the products, and reads the bike that the words name. Words for another bike or make than the chosen one are
 * searched as if none were chosen.
 *
 * @returns `named`: the bike that was read, even if it is the chosen one
 */
async function readList(
  queries: PageQueries,
  query: ProductQuery,
  bike: Bike | null,
  page: number,
): Promise<Found> {
  const { q = '', plain, bike: _bike, ...others } = query
  const withoutBike = () => readList(queries, { ...others, q }, null, page)
  const isRead = q !== '' && !plain && (await queries.settings()).hasBikes
  const strict = isRead ? await queries.bikeSearch(q, bike) : null
  if (bike && strict && !strict.isOwn) return withoutBike()
  const found = await search(queries, query, bike, strict, page)
  const { total, searchedFor, unknown = [] } = found.list
  // A make with unknown words may be a misspelled model.
  const isUnread = isRead && (!strict || strict.make?.rest)
  // Beside a bike, words that no product has are all dropped.
  const isUnmatched = bike ? searchedFor === '' : total === 0
  if (isUnread && isUnmatched && !(await isFilteredOut(queries, found.asked))) {
    const loose = await queries.bikeLoosely(q, bike)
    const isOther = loose && (!strict || loose.make?.rest !== strict.make?.rest)
    if (isOther) return bike && !loose.isOwn ? withoutBike() : search(queries, query, bike, loose, page)
  }
  if (isRead && unknown.length > 0 && !strict?.make) {
    const corrected = await queries.misspelledMake(q, unknown, bike)
    if (corrected && bike && !corrected.isOwn) return withoutBike()
    // A misspelled make that the model does not have is not read instead of the model.
    if (corrected && (corrected.read || !strict?.read)) return search(queries, query, bike, corrected, page)
  }
  // Words of its name that alone name nothing, such as `yzf`.
  const isOfName = bike && isRead && unknown.length > 0 && unknown.every((word) => hasInName(bike, word))
  if (!isOfName) return found
  const asked = { ...found.asked, q: searchedFor }
  return { ...found, asked, list: { ...found.list, searchedFor: undefined, unknown: undefined } }
}

const hasInName = ({ name }: Bike, word: string) => toBikeSlug(name).split('-').includes(toBikeSlug(word))

interface Found {
  query: ProductQuery
  /** The bike that the list is for, if it was chosen. */
  bike: Bike | null
  named: BikeReading | null
  asked: ListQuery
  list: ProductList
  facets: ProductFacets
}

/** Searches the products for a reading of the words. Without fitments for a make, the other words still say what is wanted. */
async function search(
  queries: PageQueries,
  query: ProductQuery,
  bike: Bike | null,
  named: BikeReading | null,
  page: number,
): Promise<Found> {
  const find = async (asked: ListQuery) => {
    const found = await queries.productsAndFacets({ ...asked, page, pageSize })
    return { query, bike, named, asked, ...found }
  }
  const asked = toAsked(query, bike, named)
  const found = await find(asked)
  if (found.list.total > 0 || !asked.make || !asked.q || (await isFilteredOut(queries, asked))) return found
  return find({ ...asked, make: undefined })
}

/** Whether a query without products has some without its chosen filters. Then its words are not read otherwise. */
async function isFilteredOut(queries: PageQueries, asked: ListQuery): Promise<boolean> {
  const { q, make, bikes, mayDrop } = asked
  const isFiltered = [...filterNames, 'fit' as const].some((name) => asked[name]?.length)
  if (!isFiltered) return false
  return (await queries.products({ q, make, bikes, mayDrop, pageSize: 1 })).total > 0
}

/** Replaces the bike, or the words that name one, by ids. Without a bike, the choices that need one are removed. */
function toAsked(
  { bike: _bike, fit, q, ...chosen }: ProductQuery,
  bike: Bike | null,
  named: BikeReading | null,
): ListQuery {
  const others = { ...chosen, q: (named?.read ?? named?.make)?.rest ?? q, mayDrop: true }
  if (bike) return { ...others, fit, bikes: [bike.id] }
  if (named?.read) return { ...others, fit, bikes: named.read.bikes }
  return {
    ...others,
    make: named?.make && { words: named.make.name, models: named.make.modelIds },
    fit: fit?.filter((choice) => choice === 'universal' || choice === 'gear'),
  }
}

const maxOthers = 8

/** The number of products in several groups. */
const sumUp = (groups: { total: number; estimated: boolean }[]) => ({
  total: groups.reduce((sum, { total }) => sum + total, 0),
  estimated: groups.some(({ estimated }) => estimated),
})

/**
 * Loads the first products behind those that fit the bike of a list: those that fit some of its versions, universal parts,
 * gear, those whose fit is not confirmed, and those that do not fit. Behind the products for a make: the other universal
 * parts and gear.
 */
async function loadOthers(
  queries: PageQueries,
  { make, ...asked }: ListQuery,
  { total }: ProductList,
  counts?: FitCounts,
) {
  const ofFit = async (fit: 'some' | 'universal' | 'gear' | 'unconfirmed') => {
    const counted = fit === 'gear' ? undefined : counts?.[fit]
    if (counted?.count === 0 && !counted.estimated) return { fit, products: [], total: 0, estimated: false }
    const query: ListQuery = { ...asked, notMake: make, mayDrop: false, fit: [fit], pageSize: maxOthers }
    const { products, total, estimated } = await queries.products(query)
    return { fit, products, total, estimated }
  }
  const ofMisfits = async () => {
    const products = await queries.misfits(asked, maxOthers)
    // They are not counted: the list for any bike has all of them.
    return { fit: 'misfit' as const, products, total: products.length, estimated: false }
  }
  if (make && asked.q && total > 0) {
    const groups = await Promise.all([ofFit('universal'), ofFit('gear')])
    return groups.filter(({ total }) => total > 0)
  }
  if (!asked.bikes) return []
  const groups = await Promise.all([
    ofFit('some'),
    ofFit('universal'),
    ofFit('gear'),
    ofFit('unconfirmed'),
    ofMisfits(),
  ])
  return groups.filter(({ total }) => total > 0)
}

const reviewsPerPage = 24

export async function loadReviews({ url, queries }: LoaderRequest) {
  const page = readPage(url)
  const search = page > 1 ? `?page=${page}` : ''
  const { reviews, total } = await queries.reviews({ page, pageSize: reviewsPerPage })
  const pages = Math.max(1, Math.ceil(total / reviewsPerPage))
  return { data: { reviews, page, pages }, search, status: page > pages ? 404 : 200 }
}

/** Loaders by page name, which is the last module name of a route. */
export const loaders: Record<string, Loader> = {
  home: loadHome,
  'contact-us': loadContact,
  product: loadProduct,
  products: loadProducts,
  reviews: loadReviews,
  bikes: loadBikes,
  'bike-make': loadBikeMake,
  'bike-model': loadBikeModel,
  'bike-year': loadBikeYear,
  'product-fitment': loadProductFitment,
  blogs: loadBlogs,
  document: loadDocument,
}
