import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { type ImportChange, maxListedChanges, type SkippedProduct } from '../../../../contract/imports.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { BatchProduct } from '../../imports/file-kind.ts'
import { leaveOutErrors } from '../../imports/queries.ts'
import { productsByPartNumber } from '../part-numbers/queries.ts'
import { addHistory, lockProducts } from '../repository.ts'

/** Values that a file replaces as a whole, by their name in reports and in the history of products. */
type ReplacedField = 'fitments' | 'part_numbers'

/** How an import changes the values of one product. */
export interface Difference {
  product_id: string
  /** The name of the product. */
  name: string
  row: number
}

/** Files whose rows replace values of products, such as their fitments. */
export interface ByProduct<Differing extends Difference> {
  /** The table with the rows. */
  rowTable: string
  field: ReplacedField
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
}

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
) {
  const { before, after } = describe(difference)
  return { before: { [field]: before }, after: { [field]: after } }
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
  await addHistory(tx, changes, by)
  await byProduct.replace(tx, importId, productIds)
}

const changedSince = 'Changed since the import'

/** Whether these values of `products` were changed after the import. */
const isChangedSince = (importId: string, field: ReplacedField) => sql<boolean>`exists (
  select from product_changes as later
  where later.product_id = products.id and later.after ? ${field} and later.import_id is distinct from ${importId}
    and later.id > (select max(own.id) from product_changes as own
      where own.product_id = products.id and own.import_id = ${importId}))`

/**
 * Locks the products of a batch. Deleted ones are left out.
 *
 * @param undoneId the import that is undone: products whose values were changed since are left out, too. Null: no undo
 */
export async function lockBatchProducts(
  db: Kysely<Database>,
  products: BatchProduct[],
  { undoneId, field }: { undoneId: string | null; field: ReplacedField },
): Promise<{ productIds: string[]; skipped: SkippedProduct[] }> {
  const productIds = await lockProducts(
    db,
    products.map(({ product_id }) => product_id),
  )
  const locked = new Set(productIds)
  const skipped = products
    .filter(({ product_id }) => !locked.has(product_id))
    .map(({ product_id, name }) => ({ productId: product_id, name, reason: 'It was deleted' }))
  if (undoneId === null) return { productIds, skipped }
  const { rows: changed } = await sql<SkippedProduct>`
    select id as "productId", name, ${changedSince} as reason from products
    where id = any(${productIds}::text[]) and ${isChangedSince(undoneId, field)} order by id`.execute(db)
  const lost = new Set(changed.map(({ productId }) => productId))
  return { productIds: productIds.filter((id) => !lost.has(id)), skipped: [...skipped, ...changed] }
}

/** Lists the products of a batch that the shop has, deleted or not, in the order of their ids. */
export async function listBatch(
  db: Kysely<Database>,
  { importId, rowTable, batch }: { importId: string; rowTable: string; batch: number },
): Promise<BatchProduct[]> {
  const { rows } = await sql<BatchProduct>`
    select id as product_id, name from products
    where id in (select product_id from ${sql.table(rowTable)} where import_id = ${importId} and batch = ${batch})
    order by id`.execute(db)
  return rows
}

/** Tables for `with`. `judged` has the values of each product before an import, and why they cannot be restored. */
export const judgeReplaced = (importId: string, field: ReplacedField): RawBuilder<unknown> => sql`
  judged as materialized (
    select products.id as product_id, products.name, value, case
        when deleted_at is not null then 'It was deleted'
        when ${isChangedSince(importId, field)} then ${changedSince}
      end as reason
    from replaced_values join products on products.id = replaced_values.product_id
    where replaced_values.import_id = ${importId}
  )`

/** Names the product of a row by its part number, which the shop may not have. */
const partNumberKey = sql`coalesce(product_id, part_number)`

/** A query of the products of rows that could not be read, or their part numbers. */
const unreadableProducts = (importId: string): RawBuilder<unknown> => sql`
  with ${productsByPartNumber(
    sql`(select import_id, product_key as part_number from wrong_import_rows where product_key is not null) as wrong`,
    importId,
  )}
  select ${partNumberKey} as product_id from found`

/** Takes the products with wrong rows out of an import whose rows name their product by its part number. */
export const leaveOutByPartNumber = (
  tx: Kysely<Database>,
  { importId, rowTable }: { importId: string; rowTable: string },
  errors: { errorTables: RawBuilder<unknown>; errorCount: number },
): Promise<void> =>
  leaveOutErrors(
    tx,
    { importId, rowTable, productKey: partNumberKey },
    { ...errors, unreadable: unreadableProducts(importId) },
  )
