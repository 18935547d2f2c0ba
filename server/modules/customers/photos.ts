import type { Kysely } from 'kysely'
import { type PhotoProblem, photoProblems } from '../../../contract/customers.ts'
import { photoWidth, uploadedImageUrl } from '../../../contract/pictures.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { FetchError, fetchPublic } from '../../platform/http/fetch-public.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import * as pictures from '../pictures/service.ts'
import * as repository from './repository.ts'

/** The largest file behind a link. */
const maxBytes = 5_000_000
const timeoutMs = 5_000
/** After the last one, the customer has to save the link again. */
const maxAttempts = 4
const maxPhotosPerRun = 20

export const photoLimits = { photosPerCustomer: { max: 20, seconds: 3600 } }

export type PhotoLimiter = RateLimiter<keyof typeof photoLimits>

interface PhotoDeps extends pictures.PictureDeps {
  /** IPs from which photos are fetched; by default the public ones. */
  isAllowed?: ((ip: string) => boolean) | undefined
}

/**
 * Sets the photo of a customer, in the caller's transaction. A URL is fetched later. The next cleanup deletes the
 * file of the previous photo.
 */
export async function setPhoto(tx: Kysely<Database>, customerId: string, url: string): Promise<void> {
  const replaced = await repository.findPhoto(tx, customerId)
  if (replaced?.url === url && replaced.hash !== null) return
  await repository.putPhoto(tx, { customer_id: customerId, url, hash: null }, /^https?:/.test(url))
  if (replaced?.hash) await pictures.deleteSoon(tx, replaced.hash)
}

/** Stores an uploaded photo. Returns its path. @throws as `pictures.addPhoto` */
export async function uploadPhoto(deps: PhotoDeps, customerId: string, upload: Buffer): Promise<string> {
  const hash = await pictures.addPhoto(deps, upload, customerId)
  const url = uploadedImageUrl(hash, photoWidth)
  await inTransaction(deps.db, async (tx) => {
    await repository.updateCustomer(tx, customerId, { photo: url })
    const replaced = await repository.findPhoto(tx, customerId)
    await repository.putPhoto(tx, { customer_id: customerId, url, hash }, false)
    if (replaced?.hash && replaced.hash !== hash) await pictures.deleteSoon(tx, replaced.hash)
  })
  return url
}

/** Fetches the photos that are due. Returns 0 if more are due. */
export async function fetchPhotos(deps: PhotoDeps, signal: AbortSignal): Promise<number | void> {
  for (let count = 0; count < maxPhotosPerRun && !signal.aborted; count++) {
    const due = await repository.claimPhoto(deps.db)
    if (!due) return
    await fetchDue(deps, due)
  }
  return 0
}

async function fetchDue(deps: PhotoDeps, { customer_id, url, attempts }: repository.DuePhoto): Promise<void> {
  const { db, isAllowed } = deps
  try {
    const file = await fetchPublic(url, { maxBytes, timeoutMs, ...(isAllowed && { isAllowed }) })
    const hash = await pictures.addPhoto(deps, file, customer_id)
    await inTransaction(db, async (tx) => {
      const isCurrent = await repository.storePhoto(tx, { customer_id, url, hash })
      if (!isCurrent) await pictures.deleteSoon(tx, hash)
    })
  } catch (error) {
    const problem = toProblem(error)
    const isRepeated = problem === 'unreachable' && isTemporary(error) && attempts < maxAttempts
    await repository.failPhoto(db, { customer_id, url, problem }, isRepeated)
  }
}

const isTemporary = (error: unknown) => error instanceof FetchError && error.problem === 'unreachable'

/** @throws an error that is not about the file: the job fails, and the photo is due again */
function toProblem(error: unknown): PhotoProblem {
  if (error instanceof FetchError)
    return error.problem === 'failed' || error.problem === 'other_host' ? 'unreachable' : error.problem
  if (error instanceof ShopError && error.code === 'PICTURE_HAS_TOO_MANY_PIXELS') return 'too_large'
  if (error instanceof ShopError && /^PICTURE_(KIND_REFUSED|UNREADABLE)$/.test(error.code))
    return 'not_an_image'
  throw error
}

/** A path of the shop's own pictures: of an upload, or of a drawing. */
const isOwnPath = (url: string) => url.startsWith('/pictures/')

/** Returns the path of the shop's copy of a photo, and why there is none. */
export function presentPhoto(
  photo: string,
  stored: repository.Photo | undefined,
): { avatar?: string; photoProblem?: string } {
  if (isOwnPath(photo)) return { avatar: photo }
  // An earlier version may have changed the photo.
  if (stored?.url !== photo) return {}
  if (stored.hash !== null) return { avatar: uploadedImageUrl(stored.hash, photoWidth) }
  return stored.problem === null ? {} : { photoProblem: photoProblems[stored.problem] }
}

/** Returns the avatars of customers by id. */
export async function findAvatars(db: Kysely<Database>, ids: string[]): Promise<Map<string, string>> {
  const found = await repository.findPhotos(db, ids)
  return new Map(
    found.flatMap(({ id, photo, ...stored }) => {
      const { avatar } = presentPhoto(photo, stored)
      return avatar === undefined ? [] : [[id, avatar]]
    }),
  )
}
