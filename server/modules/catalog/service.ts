import type { Kysely } from 'kysely'
import type { Product, ProductQuery } from '../../../contract/catalog.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'
import { requireBike } from '../bikes/service.ts'
import { findValidChoices, groupChoices, presentValues } from './attributes/rules.ts'
import { readAttributes } from './attributes/service.ts'
import { readGear } from './gear/service.ts'
import { explainMatches, readPartNumbers } from './part-numbers/service.ts'
import { readPictures } from './pictures/service.ts'
import { presentProduct, presentVariant } from './present.ts'
import * as repository from './repository.ts'
import {
  countFacets,
  findByNumber,
  type SearchQuery,
  searchMisfits,
  searchProducts,
  searchWithFacets,
} from './search/search.ts'

export { presentValues } from './attributes/rules.ts'
export { listAttributes } from './attributes/service.ts'
export * from './editing.ts'
export * from './files/by-product.ts'
export { listOtherFitKinds, lockOtherFitKinds, updateFitKind } from './fit-kinds/repository.ts'
export {
  findReplacement,
  numberedProducts,
  partNumber,
  productsByPartNumber,
} from './part-numbers/queries.ts'
export { createLowStockCount, hasStock } from './queries.ts'
export {
  addHistory,
  deleteProduct,
  findProduct,
  findSoldProduct,
  listExisting,
  listVariants,
  lockProduct,
} from './repository.ts'
export { compactCounts, countFacets, withoutSynonyms } from './search/search.ts'
export { isSold } from './sold.ts'

/** The part of the catalog that everyone may read, on pages and by calls, in the wire format. */
export function createPublicQueries(db: Kysely<Database>) {
  return {
    products: async (query: PublicQuery) =>
      presentList(await listProducts(db, await toSearchQuery(db, query))),
    /** Returns the same with the counts of all filters. */
    async productsAndFacets(query: PublicQuery) {
      const search = await toSearchQuery(db, query, { countsAttributes: true })
      const { list, facets } = await listWithFacets(db, search)
      return { list: presentList(list), facets }
    },
    async productsByNumber(number: string) {
      const rows = await findByNumber(db, toNumberKey(number))
      return rows.map(({ id, name }) => ({ _id: id, name }))
    },
    /** Returns the first products that do not fit any of the query's bikes. */
    async misfits({ bike: _bike, ...query }: PublicQuery, limit: number) {
      const ids = await searchMisfits(db, await toSearchQuery(db, query), limit)
      return (await repository.findProducts(db, ids)).map(presentProduct)
    },
    topKinds: () => repository.listTopKinds(db, 8),
    async facets(query: PublicQuery) {
      return countFacets(db, await toSearchQuery(db, query, { countsAttributes: true }))
    },
    /** Returns the choices of the filter that are valid for a kind of part. */
    attributeChoices: async (kind: string, choices: string[]) =>
      findValidChoices(await readAttributes(db, kind), choices),
    async product(id: string) {
      const product = await repository.findSoldProduct(db, id)
      return product ? withDetails(db, product) : null
    },
    /** Returns the first parts that fit a bike, and how many do. */
    async bikeParts(bikeId: number) {
      const { ids, ...counts } = await repository.countBikeParts(db, bikeId, 24)
      return { products: (await repository.findProducts(db, ids)).map(presentProduct), ...counts }
    },
    /** Returns a product and some more of its kind; `gone` if it was deleted, `hidden`, or null if it never existed. */
    async productPage(id: string) {
      const [product] = await repository.findProducts(db, [id])
      if (!product) return null
      if (product.deleted_at) return 'gone' as const
      if (product.hidden) return 'hidden' as const
      const related = await listRelated(db, product, 4)
      return { product: await withDetails(db, product), related: related.map(presentProduct) }
    },
  }
}

/** `bikes` and the makes: those that the words of a search name. */
type PublicQuery = ProductQuery & Pick<SearchQuery, 'bikes' | 'make' | 'notMake' | 'mayDrop'>

/** @throws BIKE_NOT_FOUND, INVALID_REQUEST if the chosen fit needs a bike, or the chosen attributes another kind */
async function toSearchQuery(
  db: Kysely<Database>,
  { bike, attribute = [], ...others }: PublicQuery,
  { countsAttributes = false } = {},
): Promise<SearchQuery> {
  const isRead = attribute.length > 0 || (countsAttributes && others.kind?.length === 1)
  const attributes = isRead ? await readFilter(db, others.kind ?? [], attribute) : undefined
  const query = { ...others, attributes }
  if (bike !== undefined) return { ...query, bikes: [(await requireBike(db, bike)).id] }
  if (query.bikes === undefined && query.fit?.some((choice) => choice !== 'universal' && choice !== 'gear')) {
    throw new ShopError('INVALID_REQUEST', { fields: { bike: 'Bike is required' } })
  }
  return query
}

/** @throws INVALID_REQUEST if a choice is not valid for the only kind */
async function readFilter(db: Kysely<Database>, kinds: string[], choices: string[]) {
  const [kind = '', ...otherKinds] = kinds
  if (kind === '' || otherKinds.length > 0) {
    throw new ShopError('INVALID_REQUEST', { fields: { kind: 'Choose one kind of part' } })
  }
  const defined = await readAttributes(db, kind)
  const valid = findValidChoices(defined, choices)
  const invalid = choices.find((choice) => !valid.includes(choice))
  if (invalid !== undefined) {
    const fields = { attribute: `“${invalid}” is not an attribute and a value of ${kind}` }
    throw new ShopError('INVALID_REQUEST', { fields })
  }
  return { defined, chosen: groupChoices(defined, choices) }
}

/** Adds the details of a product's page. */
export async function withDetails(db: Kysely<Database>, product: repository.Product): Promise<Product> {
  const hasAttributes = Object.keys(product.attributes).length > 0
  const [variants, pictures, defined, gear, numbers] = await Promise.all([
    repository.listVariants(db, product.id),
    readPictures(db, product),
    hasAttributes ? readAttributes(db, product.kind) : [],
    readGear(db, product),
    readPartNumbers(db, product),
  ])
  const attributes = presentValues(defined, product.attributes)
  return {
    ...presentProduct(product),
    variants: variants.map((variant) => presentVariant(product, variant)),
    attributes: attributes.length > 0 ? attributes : undefined,
    pictures,
    ...gear,
    ...numbers,
  }
}

/** A page of the products that match the query, in its order. */
export async function listProducts(db: Kysely<Database>, query: SearchQuery) {
  const { ids, partNumber, ...page } = await searchProducts(db, query)
  return { ...(await readRows(db, ids, partNumber)), ...page }
}

/** The same page with the counts of all filters. */
export async function listWithFacets(db: Kysely<Database>, query: SearchQuery) {
  const { page, rows, facets } = await searchWithFacets(db, query, (ids, partNumber) =>
    readRows(db, ids, partNumber),
  )
  const { ids: _ids, partNumber: _partNumber, ...others } = page
  return { list: { ...rows, ...others }, facets }
}

async function readRows(db: Kysely<Database>, ids: string[], partNumber: string) {
  const [rows, matchedNumbers] = await Promise.all([
    repository.findProducts(db, ids),
    explainMatches(db, ids, partNumber),
  ])
  return { rows, matchedNumbers }
}

function presentList({ rows, matchedNumbers, ...page }: Awaited<ReturnType<typeof listProducts>>) {
  const products = rows.map((row) => ({ ...presentProduct(row), matchedNumber: matchedNumbers.get(row.id) }))
  return { products, ...page }
}

/** Returns the products with these ids that are for sale, in this order. If there are none, returns the first products. */
export async function listChosenOrFirst(
  db: Kysely<Database>,
  ids: string[],
  count: number,
): Promise<Product[]> {
  const chosen = await repository.findSoldProducts(db, ids)
  const rows = chosen.length > 0 ? chosen : (await listProducts(db, { page: 1, pageSize: count })).rows
  return rows.map(presentProduct)
}

/** Other products of the same kind. Returns none for a product without a kind. */
async function listRelated(db: Kysely<Database>, { id, kind }: repository.Product, limit: number) {
  if (kind === null) return []
  const { ids } = await searchProducts(db, { kind: [kind], pageSize: limit + 1 })
  return repository.findProducts(db, ids.filter((other) => other !== id).slice(0, limit))
}
