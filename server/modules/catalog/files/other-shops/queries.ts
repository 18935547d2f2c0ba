import { type Kysely, sql } from 'kysely'
import { maxListedKinds, type OtherShopChanges } from '../../../../../contract/imports.ts'
import type { Database } from '../../../../../db/schema.ts'
import { lacksRedirect } from '../products/old-paths.ts'
import { existing, isChange, isIn } from '../products/queries.ts'

/** The path of a product in another shop, in the form of redirects. */
export interface OldAddress {
  path: string
  productId: string
}

/** Lists the old addresses of products in a batch that the shop has now. */
export async function listOldAddresses(
  db: Kysely<Database>,
  importId: string,
  batch: number,
): Promise<OldAddress[]> {
  const { rows } = await sql<OldAddress>`
    select distinct on (old_path) old_path as path, file.product_id as "productId"
    from product_import_rows as file join products on products.id = file.product_id
    where ${isIn(importId, batch)} and old_path is not null order by old_path, row`.execute(db)
  return rows
}

/** Counts what a file of another shop changes besides variants. */
export async function describeChanges(
  db: Kysely<Database>,
  importId: string,
  columns: string[],
): Promise<{ otherShop: OtherShopChanges }> {
  const { rows } = await sql<OtherShopChanges>`
    with counted as (
      select count(distinct file.product_id) as products,
        count(distinct file.product_id) filter (where products.id is null) as "productsAdded",
        count(distinct file.product_id) filter (where products.id is not null
          and (variant_id is null or ${isChange(columns)})) as "productsChanged",
        count(distinct old_path) filter (where ${lacksRedirect(columns)}) as "oldAddresses"
      from product_import_rows as file ${existing} where file.import_id = ${importId}
    ), kinds as (
      select distinct kind from product_import_rows as file
      where import_id = ${importId} and kind is not null
        and not exists (select from products where products.kind = file.kind and deleted_at is null)
      order by kind limit ${maxListedKinds}
    )
    select counted.*, (select coalesce(json_agg(kind order by kind), '[]') from kinds) as "newKinds"
    from counted`.execute(db)
  const [otherShop] = rows
  if (!otherShop) throw new Error('a query of counts returned no row')
  return { otherShop }
}
