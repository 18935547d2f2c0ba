import { type Kysely, sql } from 'kysely'
import type { PictureFilesTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'

/** A picture in one width and one format. */
export type PictureFile = Omit<PictureFilesTable, 'hash'>

/** Updates the upload time of a picture. Returns its largest width, or undefined if it does not exist. */
export async function touchPicture(db: Kysely<Database>, hash: string): Promise<number | undefined> {
  const row = await db
    .updateTable('pictures')
    .set({ uploaded_at: sql<Date>`now()` })
    .where('hash', '=', hash)
    .returning('widest')
    .executeTakeFirst()
  return row?.widest
}

/** Stores a picture and its files. Does nothing if another process has stored the picture. */
export async function insertPicture(
  db: Kysely<Database>,
  hash: string,
  files: PictureFile[],
  uploadedBy: string,
): Promise<void> {
  const widest = Math.max(...files.map(({ width }) => width))
  await db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('pictures')
      .values({ hash, widest, uploaded_by: uploadedBy })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return
    await tx
      .insertInto('picture_files')
      .values(files.map((file) => ({ hash, ...file })))
      .execute()
  })
}

export async function findFile(
  db: Kysely<Database>,
  hash: string,
  width: number,
  format: PictureFile['format'],
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('picture_files')
    .select('content')
    .where('hash', '=', hash)
    .where('width', '=', width)
    .where('format', '=', format)
    .executeTakeFirst()
  return row?.content
}

/** Deletes pictures last uploaded before this time that no product and no order uses. Returns how many. */
export async function deleteUnused(db: Kysely<Database>, uploadedBefore: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pictures
    where uploaded_at < ${uploadedBefore}
      and not exists (
        select from products where deleted_at is null
          and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (
        select from variants where removed_at is null
          and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)
      and not exists (
        select from order_lines
        where substring(product_image from '^/pictures/uploaded/([0-9a-f]{32})') = hash)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
