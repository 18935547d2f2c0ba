import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { AttributeValues } from '../../../contract/attributes.ts'
import type {
  EditableProduct,
  EditedProduct,
  NewProduct,
  Product,
  ProductQuery,
  StockChange,
} from '../../../contract/catalog.ts'
import type { Certificate } from '../../../contract/certificates.ts'
import { errors } from '../../../contract/errors.ts'
import type { FitKind } from '../../../contract/fit-answer.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import type { EditedPictures } from '../../../contract/product-pictures.ts'
import type { EditedVariant, EditedVariants, VariantList } from '../../../contract/variants.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, isUniqueViolation, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { requireBike } from '../bikes/service.ts'
import { tryDelayImports } from '../imports/service.ts'
import { findValidChoices, groupChoices, presentValues } from './attributes/rules.ts'
import { readAttributes, refuseInvalidValues, saveValues } from './attributes/service.ts'
import { listCertificates, readGear, replaceCertificates } from './gear/service.ts'
import { explainMatches, readPartNumbers } from './part-numbers/service.ts'
import { listPictures, readPictures, replacePictures } from './pictures/service.ts'
import {
  type NewVariant,
  presentEditableProduct,
  presentProduct,
  presentStoredVariant,
  presentVariant,
  toProductRow,
  toVariantRow,
} from './present.ts'
import * as repository from './repository.ts'
import {
  checkEditedProduct,
  checkPictures,
  checkVariants,
  findDuplicate,
  matchVariants,
  maxInteger,
  splitStockChange,
  toChoice,
} from './rules.ts'
import {
  countFacets,
  findByNumber,
  type SearchQuery,
  searchMisfits,
  searchProducts,
} from './search/search.ts'

export { listOtherFitKinds, lockOtherFitKinds, updateFitKind } from './fit-kinds/repository.ts'
export { findReplacement, partNumber, productsByPartNumber } from './part-numbers/queries.ts'
export { listVariantsByCode } from './queries.ts'
export {
  addHistory,
  findProduct,
  listBatch,
  listVariants,
  lockBatchProducts,
  lockProduct,
} from './repository.ts'
export { compactCounts, countFacets } from './search/search.ts'

/** The part of the catalog that everyone may read, on pages and by calls, in the wire format. */
export function createPublicQueries(db: Kysely<Database>) {
  return {
    async products(query: PublicQuery) {
      const { rows, matchedNumbers, ...page } = await listProducts(db, await toSearchQuery(db, query))
      const products = rows.map((row) => ({
        ...presentProduct(row),
        matchedNumber: matchedNumbers.get(row.id),
      }))
      return { products, ...page }
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
      const product = await repository.findProduct(db, id)
      return product ? withDetails(db, product) : null
    },
    /** Returns the first parts that fit a bike, and how many do. */
    async bikeParts(bikeId: number) {
      const { ids, ...counts } = await repository.countBikeParts(db, bikeId, 24)
      return { products: (await repository.findProducts(db, ids)).map(presentProduct), ...counts }
    },
    /** Returns a product and some more of its kind; `gone` if it was deleted, null if it never existed. */
    async productPage(id: string) {
      const [product] = await repository.findProducts(db, [id])
      if (!product) return null
      if (product.deleted_at) return 'gone' as const
      const related = await listRelated(db, product, 4)
      return { product: await withDetails(db, product), related: related.map(presentProduct) }
    },
  }
}

/** `bikes` and `make`: those that the words of a search name. */
type PublicQuery = ProductQuery & Pick<SearchQuery, 'bikes' | 'make' | 'mayDrop'>

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

async function withDetails(db: Kysely<Database>, product: repository.Product): Promise<Product> {
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
  const [rows, matchedNumbers] = await Promise.all([
    repository.findProducts(db, ids),
    explainMatches(db, ids, partNumber),
  ])
  return { rows, matchedNumbers, ...page }
}

/** Other products of the same kind. Returns none for a product without a kind. */
async function listRelated(db: Kysely<Database>, { id, kind }: repository.Product, limit: number) {
  if (kind === null) return []
  const { ids } = await searchProducts(db, { kind: [kind], pageSize: limit + 1 })
  return repository.findProducts(db, ids.filter((other) => other !== id).slice(0, limit))
}

/**
 * Adds a product with its first stock. Returns its id.
 *
 * @param product with its own sizes and colours if it has `variants`, whose stock replaces `quantity`
 * @param addedBy the admin, or null if the shop seeds itself
 * @throws SKU_TAKEN if a product has this part number, ignoring dashes, spaces and case, INVALID_REQUEST if an attribute
 * is not valid
 */
export async function addProduct(
  db: Kysely<Database>,
  {
    createdAt: created_at,
    options,
    variants,
    fitKind: fit_kind,
    fitComplete: fit_complete,
    attributes = {},
    ...product
  }: NewProduct & {
    createdAt?: Date
    options?: Product['options']
    variants?: NewVariant[]
    fitKind?: FitKind
    fitComplete?: boolean
    attributes?: AttributeValues
  },
  addedBy: Actor | null,
): Promise<string> {
  const id = newId()
  const { sku, gtin, ...row } = toProductRow(product)
  if (Object.keys(attributes).length > 0) await refuseInvalidValues(db, row.kind, attributes)
  const own = variants ?? [{ sku: sku ?? undefined, gtin: gtin ?? undefined, quantity: product.quantity }]
  const stock = own.reduce((sum, { quantity }) => sum + quantity, 0)
  const rows = own.map((variant, index) => ({
    ...toVariantRow(variant, index === 0 ? id : newId(), index + 1),
    product_id: id,
    stock: variant.quantity,
  }))
  await withFreeSku(() =>
    repository.insertProduct(
      db,
      {
        ...row,
        id,
        stock,
        options: variants ? 'variants' : options,
        fit_kind,
        fit_complete,
        attributes: JSON.stringify(attributes),
        created_at,
      },
      rows,
      addedBy,
    ),
  )
  return id
}

/**
 * A product as an admin edits it, and the ETag of all of it. Its form, attributes, certificates and pictures share the
 * ETag.
 */
interface TaggedProduct {
  product: EditableProduct
  etag: string
}

/** @throws PRODUCT_NOT_FOUND */
export async function requireEditableProduct(db: Kysely<Database>, id: string): Promise<TaggedProduct> {
  const row = await repository.findProduct(db, id)
  if (!row) throw new ShopError('PRODUCT_NOT_FOUND')
  const [certificates, pictures] = await Promise.all([listCertificates(db, id), listPictures(db, row)])
  const product = presentEditableProduct(row, { certificates, pictures })
  return { product, etag: toEtag(product) }
}

const toEtag = (value: object): string =>
  `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}"`

/**
 * Locks a product that is still as its editor has seen it.
 *
 * @throws PRODUCT_NOT_FOUND, PRODUCT_CHANGED with the present values
 */
async function lockEditedProduct(
  tx: Kysely<Database>,
  id: string,
  etag: string,
  editedBy: Actor,
): Promise<repository.LockedProduct> {
  const locked = await repository.lockProduct(tx, id, editedBy)
  if (!locked) throw new ShopError('PRODUCT_NOT_FOUND')
  const present = await requireEditableProduct(tx, id)
  if (present.etag !== etag) throw new ShopError('PRODUCT_CHANGED', { details: { ...present } })
  return locked
}

/**
 * Changes a product except its stock. Returns its next ETag.
 *
 * @param etag the ETag of the edited product
 * @throws PRODUCT_NOT_FOUND, PRODUCT_CHANGED, SKU_TAKEN, INVALID_REQUEST if its variants do not allow the change
 */
export function editProduct(
  db: Kysely<Database>,
  id: string,
  etag: string,
  product: EditedProduct,
  editedBy: Actor,
): Promise<TaggedProduct> {
  const row = toProductRow(product)
  return withFreeSku(() =>
    inTransaction(db, async (tx) => {
      const locked = await lockEditedProduct(tx, id, etag, editedBy)
      if (locked.options === 'variants') {
        refuseFields(checkEditedProduct(row, await repository.listVariants(tx, id)))
      }
      await repository.updateProduct(tx, { id, ...row })
      return requireEditableProduct(tx, id)
    }),
  )
}

/**
 * Replaces the certificates of a product. Returns the product with its next ETag.
 *
 * @param etag the ETag of the edited product
 * @throws PRODUCT_NOT_FOUND, PRODUCT_CHANGED
 */
export function saveCertificates(
  db: Kysely<Database>,
  id: string,
  etag: string,
  certificates: Certificate[],
  savedBy: Actor,
): Promise<TaggedProduct> {
  return inTransaction(db, async (tx) => {
    await lockEditedProduct(tx, id, etag, savedBy)
    await replaceCertificates(tx, id, certificates, savedBy)
    return requireEditableProduct(tx, id)
  })
}

/**
 * Replaces the pictures of a product; the first one becomes its `image`. Returns the product with its next ETag.
 *
 * @param etag the ETag of the edited product
 * @throws PRODUCT_NOT_FOUND, PRODUCT_CHANGED, INVALID_REQUEST if the product does not have the colour of a picture
 */
export function savePictures(
  db: Kysely<Database>,
  id: string,
  etag: string,
  pictures: EditedPictures['pictures'],
  savedBy: Actor,
): Promise<TaggedProduct> {
  return inTransaction(db, async (tx) => {
    const product = await lockEditedProduct(tx, id, etag, savedBy)
    const variants = await repository.listVariants(tx, id)
    refuseFields(checkPictures(product.options, variants, pictures))
    await replacePictures(tx, product, pictures, savedBy)
    return requireEditableProduct(tx, id)
  })
}

/**
 * Replaces the attributes of a product. Returns the product with its next ETag.
 *
 * @param etag the ETag of the edited product
 * @throws PRODUCT_NOT_FOUND, PRODUCT_CHANGED, INVALID_REQUEST if a value is not valid for its kind
 */
export function saveProductAttributes(
  db: Kysely<Database>,
  id: string,
  etag: string,
  values: AttributeValues,
  savedBy: Actor,
): Promise<TaggedProduct> {
  return inTransaction(db, async (tx) => {
    await saveValues(tx, await lockEditedProduct(tx, id, etag, savedBy), values)
    return requireEditableProduct(tx, id)
  })
}

/** @throws INVALID_REQUEST if there is an error */
function refuseFields(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })
}

/** @throws SKU_TAKEN if the write violates the unique index of part numbers */
async function withFreeSku<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'variants_sku')) throw new ShopError('SKU_TAKEN', { cause: error })
    throw error
  }
}

/** A list of variants, and the ETag of everything in it that an admin edits. */
interface TaggedVariants {
  list: VariantList
  etag: string
}

/** @throws PRODUCT_NOT_FOUND */
export async function requireVariants(db: Kysely<Database>, productId: string): Promise<TaggedVariants> {
  const product = await repository.findProduct(db, productId)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return tagVariants(product, await repository.listStoredVariants(db, productId))
}

function tagVariants(
  { options }: Pick<repository.Product, 'options'>,
  stored: repository.StoredVariant[],
): TaggedVariants {
  const shown = stored.filter(({ removed_at, stock }) => removed_at === null || stock > 0)
  const list = { options, variants: shown.map(presentStoredVariant) }
  const rows = stored.flatMap((each) => toStoredRow(each) ?? [])
  return { list, etag: toEtag({ options, rows }) }
}

/**
 * Replaces the variants of a product except their stock. Locks the product, so that nothing is sold in between.
 *
 * @param etag the ETag of the variants that were edited
 * @throws PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, VARIANT_TAKEN, VARIANT_HAS_STOCK, VARIANTS_CHANGED, SKU_TAKEN,
 * IMPORT_IN_PROGRESS, INVALID_REQUEST
 */
export function saveVariants(
  db: Kysely<Database>,
  productId: string,
  etag: string,
  { options, variants }: EditedVariants,
  savedBy: Actor,
): Promise<TaggedVariants> {
  return withFreeSku(() =>
    inTransaction(db, async (tx) => {
      if (!(await tryDelayImports(tx))) throw new ShopError('IMPORT_IN_PROGRESS')
      const product = await repository.lockProduct(tx, productId, savedBy)
      if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
      const stored = await repository.listStoredVariants(tx, productId)
      if (tagVariants(product, stored).etag !== etag) throw new ShopError('VARIANTS_CHANGED')
      refuseFields(checkVariants(product, { options, variants }))

      // Without own options the only variant is the first one, even if it has been removed.
      const edited = options === 'variants' ? variants : [{ ...variants[0], id: productId }]
      const matches = matchVariants(stored, edited)
      if (edited.some(({ id }, index) => id !== undefined && !matches[index])) {
        throw new ShopError('VARIANT_NOT_FOUND')
      }
      const twice = findDuplicate(edited.map(toChoice))
      if (twice !== -1) {
        const { message } = errors.VARIANT_TAKEN
        throw new ShopError('VARIANT_TAKEN', { fields: { [`variants.${twice}.size`]: message } })
      }
      await refuseTakenSkus(tx, productId, edited)

      const rows = edited.map((variant, index) =>
        toVariantRow(variant, matches[index]?.id ?? newId(), index + 1),
      )
      const removed = stored.filter((each) => each.removed_at === null && !matches.includes(each))
      const sold = removed.find(({ stock }) => stock > 0)
      if (sold) {
        const choice = [sold.size, sold.colour].filter(Boolean).join(', ') || 'No size or colour'
        throw new ShopError('VARIANT_HAS_STOCK', {
          fields: { variants: `${choice}: ${formatPieces(sold.stock)} in stock.` },
        })
      }
      const changed = rows.filter((row, index) => !isDeepStrictEqual(row, toStoredRow(matches[index])))
      await repository.writeVariants(
        tx,
        { ...product, options },
        removed.map(({ id }) => id),
        changed,
      )
      return tagVariants({ options }, await repository.listStoredVariants(tx, productId))
    }),
  )
}

/** The stored values of a variant that is for sale, to compare them with the edited ones. */
function toStoredRow(stored: repository.StoredVariant | undefined): repository.VariantRow | undefined {
  if (!stored || stored.removed_at !== null) return undefined
  const { product_id: _product, stock: _stock, removed_at: _removed, ...row } = stored
  return row
}

/** @throws SKU_TAKEN with the row, if a part number appears twice or another product has it */
async function refuseTakenSkus(db: Kysely<Database>, productId: string, edited: EditedVariant[]) {
  const keys = edited.map(({ sku }) => (sku ? toNumberKey(sku) : null))
  const foreign = await repository.findForeignSku(
    db,
    productId,
    keys.flatMap((key) => key ?? []),
  )
  const taken = foreign ? keys.indexOf(foreign.sku_key) : findDuplicate(keys)
  if (taken !== -1) {
    throw new ShopError('SKU_TAKEN', { fields: { [`variants.${taken}.sku`]: errors.SKU_TAKEN.message } })
  }
}

/** Marks a product as deleted. Returns false if it does not exist or is deleted already. */
export function deleteProduct(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<boolean> {
  return repository.deleteProduct(db, id, deletedBy)
}

/**
 * Adds `delta` to the stock if given, or else sets the stock to the counted `quantity`: of one variant, or of all of
 * them together. Locks the product, so that no sale comes in between.
 *
 * @returns the stock of the product afterwards, and whether it changed
 * @throws PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, STOCK_BELOW_ZERO, INVALID_REQUEST if the result is too large
 */
export function changeStock(
  db: Kysely<Database>,
  id: string,
  { variantId, quantity, delta }: StockChange,
  changedBy: Actor,
): Promise<{ stock: number; changed: boolean }> {
  return inTransaction(db, async (tx) => {
    if (!(await repository.lockProduct(tx, id, changedBy))) throw new ShopError('PRODUCT_NOT_FOUND')
    const variants = await repository.listVariants(tx, id)
    const chosen = variantId === undefined ? variants : variants.filter((each) => each.id === variantId)
    if (chosen.length === 0) throw new ShopError('VARIANT_NOT_FOUND')
    const sum = (some: repository.Variant[]) => some.reduce((total, { stock }) => total + stock, 0)
    const difference = delta ?? quantity - sum(chosen)
    const stock = sum(variants) + difference
    if (sum(chosen) + difference < 0) throw new ShopError('STOCK_BELOW_ZERO')
    if (stock > maxInteger) {
      throw new ShopError('INVALID_REQUEST', { fields: { delta: 'The stock would be too large' } })
    }
    const moves = splitStockChange(chosen, difference)
    if (moves.length > 0) {
      await repository.moveStock(tx, delta === undefined ? 'count' : 'restock', moves, changedBy)
    }
    return { stock, changed: moves.length > 0 }
  })
}
