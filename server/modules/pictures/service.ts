import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { photoWidth, pictureWidths, uploadedImageUrl } from '../../../contract/pictures.ts'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'
import { hourMs } from '../../platform/jobs.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { countRefused } from '../../platform/telemetry/metrics.ts'
import { forgetCopies } from './downloads/repository.ts'
import { listImported, lockUnused } from './queries.ts'
import { encoderVersion, makeIcon, makePhoto, makeRenditions } from './renditions.ts'
import * as repository from './repository.ts'
import { listKeys, type PictureStore } from './store.ts'

export { deleteSoon } from './repository.ts'
export { openS3Store, type S3Settings } from './s3.ts'
export { countStoreRequests, openPostgresStore, type PictureStore } from './store.ts'

export interface PictureDeps {
  db: Kysely<Database>
  store: PictureStore
}

/** Encodes one picture at a time: two large ones would take twice the memory. Each queued picture holds its upload. */
const limitImages = createLimiter({
  concurrency: 1,
  maxQueued: 3,
  onOverflow() {
    countRefused('uploads')
    return new ShopError('UNAVAILABLE')
  },
})

/**
 * Encodes and stores an uploaded picture. Returns the URL for the product's `image`. Uploads of the same file have
 * the same URL and are encoded once.
 *
 * @param options `yields`: all other uploads are encoded first
 * @throws PICTURE_KIND_REFUSED, PICTURE_HAS_TOO_MANY_PIXELS, PICTURE_UNREADABLE; PICTURE_STORE_UNAVAILABLE;
 *   UNAVAILABLE if the queue is full
 */
export async function addPicture(
  { db, store }: PictureDeps,
  upload: Buffer,
  uploadedBy: string,
  { yields = false } = {},
): Promise<{ image: string }> {
  const hash = createHash('sha256').update(`${encoderVersion}:`).update(upload).digest('hex').slice(0, 32)
  const known = await repository.touchPicture(db, hash)
  if (known !== undefined && (await isComplete(store, hash, known))) {
    return { image: uploadedImageUrl(hash, known) }
  }
  const files = await limitImages(() => makeRenditions(upload), { yields })
  const widest = Math.max(...files.map(({ width }) => width))
  // Files first: a picture that is recorded has all its files.
  await storeFiles(store, hash, files)
  await repository.insertPicture(db, { hash, widest }, uploadedBy)
  return { image: uploadedImageUrl(hash, widest) }
}

/** Returns an uploaded picture as a square PNG; null if the shop does not have it. */
export async function readIcon(store: PictureStore, hash: string, size: number): Promise<Buffer | null> {
  // A square is three quarters as wide as the frame of its file.
  const wide = pictureWidths.filter((width) => width * 0.75 >= size)
  const narrow = pictureWidths.filter((width) => width * 0.75 < size).toReversed()
  for (const width of [...wide, ...narrow]) {
    const file = await store.get({ hash, width, format: 'webp' })
    if (file) return makeIcon(file, size)
  }
  return null
}

/**
 * Encodes and stores the photo of a customer. Returns its hash, which no other customer's photo has. It is deleted as
 * unused unless the caller refers to it.
 *
 * @throws as `addPicture`
 */
export async function addPhoto(
  { db, store }: PictureDeps,
  upload: Buffer,
  customerId: string,
): Promise<string> {
  const owned = createHash('sha256').update(`photo ${customerId} ${encoderVersion}:`)
  const hash = owned.update(upload).digest('hex').slice(0, 32)
  const known = await repository.touchPicture(db, hash)
  if (known !== undefined && (await isComplete(store, hash, known))) return hash
  const files = await limitImages(() => makePhoto(upload))
  await storeFiles(store, hash, files)
  await repository.insertPicture(db, { hash, widest: photoWidth }, customerId)
  return hash
}

/**
 * Protects a picture from deletion until the caller's transaction refers to it. Returns false if the shop does not have it.
 */
export const holdPicture = async (
  tx: Kysely<Database>,
  { hash, widest }: { hash: string; widest: number },
): Promise<boolean> => (await repository.touchPicture(tx, hash)) === widest

/** Files are missing after a failed deletion, or after the restore of a backup whose files are gone. */
async function isComplete(store: PictureStore, hash: string, widest: number): Promise<boolean> {
  for (const key of listKeys(hash, widest)) if (!(await store.has(key))) return false
  return true
}

/**
 * Stores the files of a picture one after another: parallel statements take all connections, and each counts against the
 * database time of the request, so that an upload fails while the database is busy.
 */
async function storeFiles(store: PictureStore, hash: string, files: repository.PictureFile[]): Promise<void> {
  for (const { content, ...size } of files) await store.put({ hash, ...size }, content)
}

/** Leaves time to undo what replaced the picture, to save the product, or to import a product file with the picture. */
const unusedAfterMs = 30 * 24 * hourMs

/**
 * Deletes pictures that no product, no order, no profile, no setting, no document and no file that is imported has used for
 * 30 days. Each is locked until its files are removed, so that a concurrent upload of the same picture waits and then stores
 * the files again. Only uploads of this picture wait for the store.
 */
export async function deleteUnusedPictures(
  { db, store, log }: PictureDeps & { log: { info(details: { deleted: number }, message: string): void } },
  signal?: AbortSignal,
): Promise<void> {
  const imported = await listImported(db)
  await repository.markUnused(db, imported)
  let deleted = 0
  let last: string | undefined = ''
  try {
    while (last !== undefined) {
      if (signal?.aborted) break
      const after: string = last
      last = await db.transaction().execute(async (tx) => {
        const picture = await lockUnused(tx, unusedAfterMs, after, imported)
        if (!picture) return undefined
        await Promise.all(listKeys(picture.hash, picture.widest).map((key) => store.remove(key)))
        await repository.deletePicture(tx, picture.hash)
        await forgetCopies(tx, picture.hash)
        return picture.hash
      })
      if (last !== undefined) deleted++
    }
  } finally {
    if (deleted > 0) log.info({ deleted }, 'deleted unused pictures')
  }
}
