import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Picture } from './repository.ts'

/** Returns the hashes of pictures in the rows of files and undos. The rows are deleted after their import. */
export async function listImported(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select found[1] as hash
    from product_import_rows,
      regexp_matches(concat_ws(' ', image, pictures), '/pictures/uploaded/([0-9a-f]{32})', 'g') as found
    where strpos(image, '/pictures/uploaded/') > 0 or strpos(pictures, '/pictures/uploaded/') > 0
    union
    select found[1]
    from undo_import_rows, regexp_matches(before::text, '/pictures/uploaded/([0-9a-f]{32})', 'g') as found
    where before ?| '{image,pictures}'`.execute(db)
  return rows.map(({ hash }) => hash)
}

/**
 * Whether a column has the URL of a picture. `offset 0` makes Postgres read an index for each picture: without the index it
 * would evaluate the expression for all rows.
 */
const shows = (column: 'image' | 'product_image') => sql`
  substring(${sql.ref(column)} from '^/pictures/uploaded/([0-9a-f]{32})') = pictures.hash offset 0`

/**
 * Whether a product, an order, a profile, a setting, a version of a document or a row of a file (`imported`) uses a picture.
 * Deleted products and removed variants can be restored, so they use their pictures. Settings and documents are read once.
 */
export const isUsed = (imported: string[]): RawBuilder<boolean> => sql`(
  pictures.hash = any(${imported}::text[])
  or exists (select from products where ${shows('image')})
  or exists (select from variants where ${shows('image')})
  or exists (select from product_pictures where ${shows('image')})
  or exists (select from order_lines where ${shows('product_image')})
  or exists (select from profile_photos where profile_photos.hash = pictures.hash)
  or pictures.hash in (select found[1] from shop_settings, regexp_matches(value::text, '[0-9a-f]{32}', 'g') as found)
  or pictures.hash in (
    select found[1]
    from document_versions, regexp_matches(concat_ws(' ', image, body), '[0-9a-f]{32}', 'g') as found))`

/**
 * Locks the next picture by hash that was marked as unused and last uploaded before this time, or that is to be deleted soon,
 * and that nothing uses now. Skips pictures that another process has locked.
 */
export async function lockUnused(
  tx: Kysely<Database>,
  unusedAfterMs: number,
  afterHash: string,
  imported: string[] = [],
): Promise<Picture | undefined> {
  const end = sql`now() - ${unusedAfterMs}::float8 * interval '1 millisecond'`
  const { rows } = await sql<Picture>`
    select hash, widest from pictures
    where hash > ${afterHash}
      and (uploaded_at = 'epoch' or unused_since < ${end} and uploaded_at < ${end})
      and not ${isUsed(imported)}
    order by hash limit 1
    for update skip locked`.execute(tx)
  return rows[0]
}
