import { type Kysely, sql } from 'kysely'
import type { PictureFilesTable } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import { isUsed } from './queries.ts'

/** A picture in one width and one format. */
export type PictureFile = Omit<PictureFilesTable, 'hash'>

/** Identifies one file of a picture. Its content never changes. */
export type PictureKey = Omit<PictureFilesTable, 'content'>

export interface Picture {
  hash: string
  /** The largest width of its files. */
  widest: number
}

/**
 * Updates the upload time of a picture, so that it is not deleted for 30 days. Waits if it is being deleted. Returns
 * its largest width, or undefined if it does not exist.
 */
export async function touchPicture(db: Kysely<Database>, hash: string): Promise<number | undefined> {
  const row = await db
    .updateTable('pictures')
    .set({ uploaded_at: sql<Date>`now()` })
    .where('hash', '=', hash)
    .returning('widest')
    .executeTakeFirst()
  return row?.widest
}

/** Records a picture whose files are stored. Does nothing if it is recorded. */
export async function insertPicture(
  db: Kysely<Database>,
  { hash, widest }: Picture,
  uploadedBy: string,
): Promise<void> {
  await db
    .insertInto('pictures')
    .values({ hash, widest, uploaded_by: uploadedBy })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

export async function putFile(db: Kysely<Database>, key: PictureKey, content: Buffer): Promise<void> {
  await db
    .insertInto('picture_files')
    .values({ ...key, content })
    .onConflict((conflict) => conflict.columns(['hash', 'width', 'format']).doUpdateSet({ content }))
    .execute()
}

export async function findFile(db: Kysely<Database>, key: PictureKey): Promise<Buffer | undefined> {
  const row = await selectFile(db, key).select('content').executeTakeFirst()
  return row?.content
}

export async function hasFile(db: Kysely<Database>, key: PictureKey): Promise<boolean> {
  const row = await selectFile(db, key).select('hash').executeTakeFirst()
  return row !== undefined
}

const selectFile = (db: Kysely<Database>, { hash, width, format }: PictureKey) =>
  db
    .selectFrom('picture_files')
    .where('hash', '=', hash)
    .where('width', '=', width)
    .where('format', '=', format)

export async function removeFile(db: Kysely<Database>, { hash, width, format }: PictureKey): Promise<void> {
  await db
    .deleteFrom('picture_files')
    .where('hash', '=', hash)
    .where('width', '=', width)
    .where('format', '=', format)
    .execute()
}

/** Makes the next cleanup delete a picture, unless it is used by then. `lockUnused` knows it by this time. */
export async function deleteSoon(tx: Kysely<Database>, hash: string): Promise<void> {
  await tx
    .updateTable('pictures')
    .set({ uploaded_at: new Date(0) })
    .where('hash', '=', hash)
    .execute()
}

/**
 * Records since when nothing uses a picture, and clears that for pictures that are used. Skips pictures that another process
 * has locked, until the next call.
 *
 * @param imported as `listImported` returns them
 */
export async function markUnused(db: Kysely<Database>, imported: string[] = []): Promise<void> {
  // The sort ends the check of all pictures before the first one is locked, so that uploads wait only for the update.
  await sql`
    with changed as materialized (
      select hash, unused_since is not null as is_used from pictures where (unused_since is null) <> ${isUsed(imported)}
    ), locked as (
      select hash, is_used from pictures join changed using (hash)
      order by hash for no key update of pictures skip locked
    )
    update pictures set unused_since = case when not is_used then now() end
    from locked where pictures.hash = locked.hash`.execute(db)
}

/** Locks the next picture by hash against deletion. Uploads of it do not wait. */
export async function lockNext(tx: Kysely<Database>, afterHash: string): Promise<Picture | undefined> {
  const { rows } = await sql<Picture>`
    select hash, widest from pictures where hash > ${afterHash}
    order by hash limit 1
    for key share`.execute(tx)
  return rows[0]
}

export async function deletePicture(tx: Kysely<Database>, hash: string): Promise<void> {
  await tx.deleteFrom('pictures').where('hash', '=', hash).execute()
}
