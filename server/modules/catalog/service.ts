import type { Kysely } from 'kysely'
import type { EditedProduct, NewProduct, StockChange } from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'
import { isUniqueViolation } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { retryTransient } from '../../platform/retry.ts'
import { ShopError } from '../../platform/shop-error.ts'
import { toProductRow } from './present.ts'
import * as repository from './repository.ts'

export { findDrawing, pictureHeaders } from '../pictures/drawings.ts'
export { createPublicQueries, listProducts } from './public-queries.ts'
export type { Product } from './repository.ts'
export { compactCounts, countFacets } from './search/search.ts'

export function findProduct(db: Kysely<Database>, id: string): Promise<repository.Product | undefined> {
  return repository.findProduct(db, id)
}

/** @throws PRODUCT_NOT_FOUND */
export async function requireProduct(db: Kysely<Database>, id: string): Promise<repository.Product> {
  const product = await repository.findProduct(db, id)
  if (!product) throw new ShopError('PRODUCT_NOT_FOUND')
  return product
}

/**
 * Adds a product with its first stock. Returns its id.
 *
 * @param addedBy the admin, or null if the shop seeds itself
 * @throws SKU_TAKEN if a product has this part number, ignoring dashes, spaces and case
 */
export async function addProduct(
  db: Kysely<Database>,
  product: NewProduct & { createdAt?: Date },
  addedBy: Actor | null,
): Promise<string> {
  const id = newId()
  const { quantity: stock, createdAt: created_at } = product
  await withFreeSku(() =>
    repository.insertProduct(db, { id, ...toProductRow(product), stock, created_at }, addedBy),
  )
  return id
}

/**
 * Changes a product except its stock.
 *
 * @throws PRODUCT_NOT_FOUND, SKU_TAKEN
 */
export async function editProduct(
  db: Kysely<Database>,
  id: string,
  product: EditedProduct,
  editedBy: Actor,
): Promise<void> {
  const isThere = await withFreeSku(() =>
    retryTransient(db, () => repository.updateProduct(db, id, toProductRow(product), editedBy)),
  )
  if (!isThere) throw new ShopError('PRODUCT_NOT_FOUND')
}

/** @throws SKU_TAKEN if the write violates the unique index of part numbers */
async function withFreeSku<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'products_sku')) throw new ShopError('SKU_TAKEN', { cause: error })
    throw error
  }
}

/** Marks a product as deleted. Returns false if it does not exist or is deleted already. */
export function deleteProduct(db: Kysely<Database>, id: string, deletedBy: Actor): Promise<boolean> {
  return repository.hideProduct(db, id, deletedBy)
}

/**
 * Adds `delta` to the stock if given, or else sets the stock to the counted `quantity`.
 *
 * @returns the stock afterwards, and whether it changed
 * @throws PRODUCT_NOT_FOUND, STOCK_BELOW_ZERO, INVALID_REQUEST if the result is too large
 */
export async function changeStock(
  db: Kysely<Database>,
  id: string,
  { quantity, delta }: StockChange,
  changedBy: Actor,
): Promise<{ stock: number; changed: boolean }> {
  if (delta === undefined) {
    if (quantity < 0) throw new ShopError('STOCK_BELOW_ZERO')
    const difference = await retryTransient(db, () => repository.countStock(db, id, quantity, changedBy))
    if (difference === undefined) throw new ShopError('PRODUCT_NOT_FOUND')
    return { stock: quantity, changed: difference !== 0 }
  }
  if (delta === 0) return { stock: (await requireProduct(db, id)).stock, changed: false }
  const stock = await retryTransient(db, () => repository.addStock(db, id, delta, changedBy))
  if (stock !== undefined) return { stock, changed: true }
  await requireProduct(db, id)
  if (delta < 0) throw new ShopError('STOCK_BELOW_ZERO')
  throw new ShopError('INVALID_REQUEST', { fields: { delta: 'The stock would be too large' } })
}
