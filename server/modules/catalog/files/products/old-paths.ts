import { type Kysely, sql } from 'kysely'
import { missingPicture } from '../../../../../contract/product-pictures.ts'
import type { Database } from '../../../../../db/schema.ts'

/** Not a column of a file: the rows of files of other shops have it. It is the path that their product had there. */
export const oldPathColumn = 'old_path'

/** Whether the file is of another shop. */
export const hasOldPaths = (columns: string[]) => columns.includes(oldPathColumn)

const noPath = { variant: sql`null`, product: sql`null::text`, join: sql`` }

/** Finds the product at an old address, and its variant with the size and colour of a row. Another row may have its part number. */
export function findByPath(importId: string, columns: string[]) {
  if (!hasOldPaths(columns)) return noPath
  return {
    variant: sql`by_choice.id`,
    product: sql`former.product_id`,
    join: sql`
      left join redirects as former on former.path = file.old_path
        and former.product_id in (select id from products where deleted_at is null)
      left join variants as by_choice on by_choice.product_id = former.product_id and by_choice.removed_at is null
        and (coalesce(by_choice.size, ''), coalesce(by_choice.colour, ''))
          = (coalesce(file.size, ''), coalesce(file.colour, ''))
        and not exists (select from product_import_rows as other
          where other.import_id = ${importId} and other.sku_key = by_choice.sku_key)`,
  }
}

/** Whether the old address of a row does not lead to its product yet. */
export const lacksRedirect = (columns: string[]) =>
  hasOldPaths(columns)
    ? sql<boolean>`(file.old_path is not null and not exists (
        select from redirects where path = file.old_path and redirects.product_id = file.product_id))`
    : sql<boolean>`false`

/** Fills what files of other shops may lack. A new product without a picture gets a drawing. */
export async function fillBlanks(db: Kysely<Database>, importId: string): Promise<void> {
  await sql`
    update product_import_rows as file set description = coalesce(file.description, products.description, file.name),
      image = coalesce(file.image, case when products.id is null then ${missingPicture} end)
    from product_import_rows as own left join products on products.id = own.product_id
    where file.import_id = ${importId} and own.import_id = ${importId} and own.row = file.row
      and (file.description is null or file.image is null)`.execute(db)
}
