import type { Kysely } from 'kysely'
import {
  type ListedProduct,
  type ListedProductQuery,
  type ListFilters,
  maxSelected,
} from '../../../../contract/product-changes.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { setAuditActor } from '../../../platform/database/audit-actor.ts'
import { inTransaction, isUniqueViolation } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { type Page, toLimitOffset } from '../../../platform/http/paging.ts'
import { tryDelayImports } from '../../imports/service.ts'
import { presentProduct } from '../present.ts'
import { findProducts, lockProduct, type Product } from '../repository.ts'
import { countAny, findAny, readAnySearch } from '../search/search.ts'
import { withDetails } from '../service.ts'
import { lastDeletedFirst, toScope } from './queries.ts'
import * as repository from './repository.ts'

/** Lists a page of the products that match the filters, and how many do, up to 100,000. */
export async function listAllProducts(
  db: Kysely<Database>,
  query: ListedProductQuery,
): Promise<Page<ListedProduct>> {
  const { sort, page, pageSize, ...filters } = query
  const search = await readFilters(db, filters)
  const [ids, total] = await Promise.all([
    findAny(db, search, sort, toLimitOffset({ page, pageSize }), filters.deleted && lastDeletedFirst),
    countAny(db, search, maxSelected),
  ])
  return { rows: (await findProducts(db, ids)).map(presentListed), total }
}

function readFilters(db: Kysely<Database>, filters: ListFilters) {
  const { q, category, kind, brand, certificate, price, inStock } = filters
  const search = { q, category, kind, brand, certificate, price, inStock }
  return readAnySearch(db, search, toScope(filters), filters.deleted === 'true')
}

const presentListed = (row: Product): ListedProduct => ({
  ...presentProduct(row),
  hidden: row.hidden || undefined,
  deletedAt: row.deleted_at?.toISOString(),
})

/** @throws PRODUCT_NOT_FOUND */
export async function requireAnyProduct(db: Kysely<Database>, id: string): Promise<ListedProduct> {
  const [row] = await findProducts(db, [id])
  if (!row) throw new ShopError('PRODUCT_NOT_FOUND')
  return { ...presentListed(row), ...(await withDetails(db, row)) }
}

/**
 * Finds the products that match the filters, the oldest first.
 *
 * @throws SELECTION_TOO_LARGE
 */
export async function findSelected(db: Kysely<Database>, filters: ListFilters): Promise<string[]> {
  const page = { limit: maxSelected + 1, offset: 0 }
  const ids = await findAny(db, await readFilters(db, filters), 'created', page)
  if (ids.length > maxSelected) throw new ShopError('SELECTION_TOO_LARGE')
  return ids
}

/**
 * Hides a product, or shows it again.
 *
 * @throws PRODUCT_NOT_FOUND
 */
export function hideProduct(
  db: Kysely<Database>,
  id: string,
  hidden: boolean,
  by: Actor,
): Promise<ListedProduct> {
  return inTransaction(db, async (tx) => {
    if (!(await lockProduct(tx, id, by))) throw new ShopError('PRODUCT_NOT_FOUND')
    await repository.setHidden(tx, id, hidden)
    return requireAnyProduct(tx, id)
  })
}

/**
 * Restores a deleted product as it was, hidden or not. Does nothing if it is not deleted.
 *
 * @throws PRODUCT_NOT_FOUND, SKU_TAKEN with the `product` that has one of its part numbers, IMPORT_IN_PROGRESS
 */
export async function restoreProduct(db: Kysely<Database>, id: string, by: Actor): Promise<ListedProduct> {
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await tryDelayImports(tx))) throw new ShopError('IMPORT_IN_PROGRESS')
      await setAuditActor(tx, by)
      if (!(await repository.lockAnyProduct(tx, id))) throw new ShopError('PRODUCT_NOT_FOUND')
      await repository.restoreDeleted(tx, id)
      return requireAnyProduct(tx, id)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'variants_sku')) throw error
    const product = await repository.findTaker(db, id)
    throw new ShopError('SKU_TAKEN', { cause: error, details: { product } })
  }
}
