import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { AttributeValues } from '../../../contract/attributes.ts'
import type {
  EditableProduct,
  EditedProduct,
  NewProduct,
  Product,
  StockChange,
} from '../../../contract/catalog.ts'
import type { Certificate } from '../../../contract/certificates.ts'
import { errors } from '../../../contract/errors.ts'
import type { FitKind } from '../../../contract/fit-answer.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { toNumberKey } from '../../../contract/part-numbers.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import type { EditedPictures } from '../../../contract/product-pictures.ts'
import type { EditedVariant, EditedVariants, VariantList } from '../../../contract/variants.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction, newId, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { type Tagged, toEtag } from '../../platform/http/etag.ts'
import { tryDelayImports } from '../imports/service.ts'
import { refuseInvalidValues, saveValues } from './attributes/service.ts'
import { listCertificates, replaceCertificates } from './gear/service.ts'
import { carryPictures, listPictures, replacePictures } from './pictures/service.ts'
import {
  type NewVariant,
  presentEditableProduct,
  presentStoredVariant,
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
  const added: Parameters<typeof repository.insertProduct>[1] = {
    ...row,
    id,
    stock,
    options: variants ? 'variants' : options,
    fit_kind,
    fit_complete,
    attributes: JSON.stringify(attributes),
    created_at,
  }
  await repository.insertProduct(db, added, rows, addedBy).catch(rejectTakenSku)
  return id
}

const rejectTakenSku = rejectTaken({ variants_sku: 'SKU_TAKEN' })

/**
 * Returns a product as an admin edits it. Its form, attributes, certificates and pictures share the ETag.
 *
 * @throws PRODUCT_NOT_FOUND
 */
export async function requireEditableProduct(
  db: Kysely<Database>,
  id: string,
): Promise<Tagged<EditableProduct>> {
  const row = await repository.findProduct(db, id)
  if (!row) throw new ShopError('PRODUCT_NOT_FOUND')
  const [certificates, pictures] = await Promise.all([listCertificates(db, id), listPictures(db, row)])
  const value = presentEditableProduct(row, { certificates, pictures })
  return { value, etag: toEtag(value) }
}

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
  if (present.etag !== etag) {
    throw new ShopError('PRODUCT_CHANGED', { details: { product: present.value, etag: present.etag } })
  }
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
): Promise<Tagged<EditableProduct>> {
  return inTransaction(db, async (tx) => {
    const locked = await lockEditedProduct(tx, id, etag, editedBy)
    const row = toProductRow({ ...product, returns: product.returns ?? locked.return_note ?? undefined })
    if (locked.options === 'variants') {
      refuseFields(checkEditedProduct(row, await repository.listVariants(tx, id)))
    }
    await repository.updateProduct(tx, { id, ...row })
    return requireEditableProduct(tx, id)
  }).catch(rejectTakenSku)
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
): Promise<Tagged<EditableProduct>> {
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
): Promise<Tagged<EditableProduct>> {
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
): Promise<Tagged<EditableProduct>> {
  return inTransaction(db, async (tx) => {
    await saveValues(tx, await lockEditedProduct(tx, id, etag, savedBy), values)
    return requireEditableProduct(tx, id)
  })
}

/** @throws INVALID_REQUEST if there is an error */
function refuseFields(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })
}

/** @throws PRODUCT_NOT_FOUND */
export async function requireVariants(db: Kysely<Database>, productId: string): Promise<Tagged<VariantList>> {
  const product = await repository.findProduct(db, productId)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return tagVariants(product, await repository.listStoredVariants(db, productId))
}

function tagVariants(
  { options }: Pick<repository.Product, 'options'>,
  stored: repository.StoredVariant[],
): Tagged<VariantList> {
  const shown = stored.filter(({ removed_at, stock }) => removed_at === null || stock > 0)
  const rows = stored.flatMap((each) => toStoredRow(each) ?? [])
  return { value: { options, variants: shown.map(presentStoredVariant) }, etag: toEtag({ options, rows }) }
}

/**
 * Replaces the variants of a product except their stock. Locks the product, so that nothing is sold in between. The
 * pictures of a renamed colour stay with it.
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
): Promise<Tagged<VariantList>> {
  return inTransaction(db, async (tx) => {
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
      toVariantRow(variant, matches[index]?.id ?? newId(), index + 1, matches[index]),
    )
    const removed = stored.filter((each) => each.removed_at === null && !matches.includes(each))
    const sold = removed.find(({ stock }) => stock > 0)
    if (sold) {
      const choice = nameChoice(sold) || 'No size or colour'
      throw new ShopError('VARIANT_HAS_STOCK', {
        fields: { variants: `${choice}: ${formatPieces(sold.stock)} in stock.` },
      })
    }
    const changed = rows.filter((row, index) => !isDeepStrictEqual(row, toStoredRow(matches[index])))
    const removedIds = removed.map(({ id }) => id)
    await carryPictures(tx, [productId], savedBy, () =>
      repository.writeVariants(tx, { ...product, options }, removedIds, changed),
    )
    return tagVariants({ options }, await repository.listStoredVariants(tx, productId))
  }).catch(rejectTakenSku)
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
