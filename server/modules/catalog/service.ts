import type { Kysely } from 'kysely'
import type {
  EditedProduct,
  NewProduct,
  Product,
  ProductQuery,
  StockChange,
} from '../../../contract/catalog.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../http/access.ts'
import { inTransaction, isUniqueViolation, newId, retryTransient } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { type NewVariant, presentProduct, presentVariant, toProductRow, toVariantRow } from './present.ts'
import * as repository from './repository.ts'
import { maxInteger, splitStockChange } from './rules.ts'
import { countFacets, searchProducts } from './search/search.ts'

export { findProduct, listVariants } from './repository.ts'
export { compactCounts, countFacets } from './search/search.ts'

/** The part of the catalog that everyone may read, on pages and by calls, in the wire format. */
export function createPublicQueries(db: Kysely<Database>) {
  return {
    async products(query: ProductQuery) {
      const { rows, ...page } = await listProducts(db, query)
      return { products: rows.map(presentProduct), ...page }
    },
    facets: (query: ProductQuery) => countFacets(db, query),
    async product(id: string) {
      const product = await repository.findProduct(db, id)
      return product ? withVariants(db, product) : null
    },
    /** Returns a product and some more of its kind; `gone` if it was deleted, null if it never existed. */
    async productPage(id: string) {
      const [product] = await repository.findProducts(db, [id])
      if (!product) return null
      if (product.deleted_at) return 'gone' as const
      const related = await listRelated(db, product, 4)
      return { product: await withVariants(db, product), related: related.map(presentProduct) }
    },
  }
}

async function withVariants(db: Kysely<Database>, product: repository.Product): Promise<Product> {
  const variants = await repository.listVariants(db, product.id)
  return { ...presentProduct(product), variants: variants.map((variant) => presentVariant(product, variant)) }
}

/** A page of the products that match the query, in its order. */
export async function listProducts(db: Kysely<Database>, query: ProductQuery) {
  const { ids, ...page } = await searchProducts(db, query)
  return { rows: await repository.findProducts(db, ids), ...page }
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
 * @throws SKU_TAKEN if a product has this part number, ignoring dashes, spaces and case
 */
export async function addProduct(
  db: Kysely<Database>,
  {
    createdAt: created_at,
    options,
    variants,
    ...product
  }: NewProduct & { createdAt?: Date; options?: Product['options']; variants?: NewVariant[] },
  addedBy: Actor | null,
): Promise<string> {
  const id = newId()
  const { sku, gtin, ...row } = toProductRow(product)
  const own = variants ?? [{ sku: sku ?? undefined, gtin: gtin ?? undefined, quantity: product.quantity }]
  const stock = own.reduce((sum, { quantity }) => sum + quantity, 0)
  const rows = own.map((variant, index) =>
    toVariantRow(variant, { id: index === 0 ? id : newId(), product_id: id, position: index + 1 }),
  )
  await withFreeSku(() =>
    repository.insertProduct(
      db,
      { ...row, id, stock, options: variants ? 'variants' : options, created_at },
      rows,
      addedBy,
    ),
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
    retryTransient(db, () => repository.updateProduct(db, { id, ...toProductRow(product) }, editedBy)),
  )
  if (!isThere) throw new ShopError('PRODUCT_NOT_FOUND')
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
    if (!(await repository.lockProduct(tx, id))) throw new ShopError('PRODUCT_NOT_FOUND')
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
