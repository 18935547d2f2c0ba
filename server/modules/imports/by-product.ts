import type { Kysely, Transaction } from 'kysely'
import { type ImportChange, maxListedChanges } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { listLockedProducts } from './queries.ts'

/** How an import changes the values of one product. */
export interface Difference {
  product_id: string
  /** The name of the product. */
  name: string
  row: number
}

/** Files whose rows replace values of products, such as their fitments. */
export interface ByProduct<Differing extends Difference> {
  /** The table with the rows. Rows of locked products have `is_change`. */
  rowTable: string
  /** The name of the values in reports and in the history of products. */
  field: 'fitments' | 'part_numbers'
  /** Lists the first products whose values differ from the file, or the first of these products. */
  listDifferences: (
    db: Kysely<Database>,
    importId: string,
    options: { productIds?: string[]; limit: number },
  ) => Promise<Differing[]>
  /** The removed and the added values as texts. */
  describe: (difference: Differing) => { before: string | null; after: string | null }
  /** Replaces the values of locked products by the values of the file. */
  replace: (tx: Transaction<Database>, importId: string, productIds: string[]) => Promise<void>
  /** Adds one change of each product to its history. */
  addHistory: (tx: Transaction<Database>, changes: ProductChange[], by: Actor) => Promise<void>
}

interface ProductChange {
  product_id: string
  before: Record<string, string | null>
  after: Record<string, string | null>
}

const productsAtOnce = 500

/** Lists the first changes that the import would make now. */
export async function listChanges<Differing extends Difference>(
  db: Kysely<Database>,
  importId: string,
  byProduct: ByProduct<Differing>,
): Promise<ImportChange[]> {
  const differences = await byProduct.listDifferences(db, importId, { limit: maxListedChanges })
  return differences.map((difference) => ({
    row: difference.row,
    name: difference.name,
    ...toValues(difference, byProduct),
  }))
}

/** Returns the changed values as reports and the history of products have them. */
function toValues<Differing extends Difference>(
  difference: Differing,
  { field, describe }: ByProduct<Differing>,
): Pick<ProductChange, 'before' | 'after'> {
  const { before, after } = describe(difference)
  return { before: { [field]: before }, after: { [field]: after } }
}

/**
 * Replaces the values of the locked products, and adds the changes to their history.
 *
 * @param products the number of locked products
 * @param onProgress gets the finished share, from 0 to 1
 */
export async function replaceByProduct<Differing extends Difference>(
  tx: Transaction<Database>,
  { importId, products }: { importId: string; products: number },
  byProduct: ByProduct<Differing>,
  by: Actor,
  onProgress: (share: number) => Promise<void>,
): Promise<void> {
  let done = 0
  let after = ''
  for (;;) {
    await onProgress(products === 0 ? 1 : done / products)
    const page = { after, limit: productsAtOnce }
    const productIds = await listLockedProducts(tx, importId, byProduct.rowTable, page)
    const last = productIds.at(-1)
    if (last === undefined) return
    await replaceProducts(tx, { importId, productIds }, byProduct, by)
    done += productIds.length
    after = last
  }
}

/** Replaces the values of these locked products, and adds the changes to their history. */
export async function replaceProducts<Differing extends Difference>(
  tx: Transaction<Database>,
  { importId, productIds }: { importId: string; productIds: string[] },
  byProduct: ByProduct<Differing>,
  by: Actor,
): Promise<void> {
  const limit = productIds.length
  const differences = await byProduct.listDifferences(tx, importId, { productIds, limit })
  const changes = differences.map((difference) => ({
    product_id: difference.product_id,
    ...toValues(difference, byProduct),
  }))
  await byProduct.addHistory(tx, changes, by)
  await byProduct.replace(tx, importId, productIds)
}
