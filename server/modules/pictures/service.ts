import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { uploadedImageUrl } from '../../../contract/pictures.ts'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'
import { hourMs } from '../../platform/jobs.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { encoderVersion, makeRenditions } from './renditions.ts'
import * as repository from './repository.ts'

export { findFile } from './repository.ts'

/** Encodes one picture at a time: two large ones would take twice the memory. Each queued picture holds its upload. */
const limitImages = createLimiter({
  concurrency: 1,
  maxQueued: 3,
  onOverflow: () => new ShopError('UNAVAILABLE'),
})

/**
 * Encodes and stores an uploaded picture. Returns the URL for the product's `image`. Uploads of the same file have
 * the same URL and are encoded once.
 *
 * @throws PICTURE_KIND_REFUSED, PICTURE_HAS_TOO_MANY_PIXELS, PICTURE_UNREADABLE; UNAVAILABLE if the queue is full
 */
export async function addPicture(
  db: Kysely<Database>,
  upload: Buffer,
  uploadedBy: string,
): Promise<{ image: string }> {
  const hash = createHash('sha256').update(`${encoderVersion}:`).update(upload).digest('hex').slice(0, 32)
  const known = await repository.touchPicture(db, hash)
  if (known !== undefined) return { image: uploadedImageUrl(hash, known) }
  const files = await limitImages(() => makeRenditions(upload))
  await repository.insertPicture(db, hash, files, uploadedBy)
  return { image: uploadedImageUrl(hash, Math.max(...files.map(({ width }) => width))) }
}

/** Leaves time to save the product, or to import a product file with the picture. */
const unusedAfterMs = 7 * 24 * hourMs

/** Deletes pictures that no product and no order uses. */
export async function deleteUnusedPictures(
  db: Kysely<Database>,
  log: { info(details: { deleted: number }, message: string): void },
  now = Date.now(),
): Promise<void> {
  const deleted = await repository.deleteUnused(db, new Date(now - unusedAfterMs))
  if (deleted > 0) log.info({ deleted }, 'deleted unused pictures')
}
