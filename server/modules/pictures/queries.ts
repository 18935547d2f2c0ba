import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Picture } from './repository.ts'

/** Returns the hashes of pictures in the rows of files. The rows are deleted after their import. */
export async function listImported(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct found[1] as hash
    from product_import_rows,
      regexp_matches(concat_ws(' ', image, pictures), '/pictures/uploaded/([0-9a-f]{32})', 'g') as found
    where strpos(image, '/pictures/uploaded/') > 0 or strpos(pictures, '/pictures/uploaded/') > 0`.execute(db)
  return rows.map(({ hash }) => hash)
}

/**
 * Locks the next picture by hash that was last uploaded before this time and that no product, no order, no profile,
 * no setting, no version of a document and no row of a file (`imported`) uses. Skips pictures that another process has locked.
 */
export async function lockUnused(
  tx: Kysely<Database>,
  unusedAfterMs: number,
  afterHash: string,
  imported: string[] = [],
): Promise<Picture | undefined> {
  const { rows } = await sql<Picture>`
    select hash, widest from pictures
    where hash > ${afterHash} and hash <> all(${imported}::text[])
      and uploaded_at < now() - ${unusedAfterMs}::float8 * interval '1 millisecond'
      and not exists (
        select from products where deleted_at is null
          and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (
        select from variants where removed_at is null
          and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (
        select from product_pictures join products on products.id = product_id
        where deleted_at is null
          and substring(product_pictures.image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (
        select from order_lines
        where substring(product_image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (select from profile_photos where profile_photos.hash = pictures.hash)
      and not exists (select from shop_settings where position(pictures.hash in value::text) > 0)
      and not exists (
        select from document_versions where strpos(coalesce(image, '') || ' ' || body, pictures.hash) > 0)
    order by hash limit 1
    for update skip locked`.execute(tx)
  return rows[0]
}
