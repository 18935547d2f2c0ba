import type { LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import {
  type DownloadProblem,
  downloadProblems,
  type PictureDownloads,
} from '../../../../contract/picture-downloads.ts'
import { maxPictureBytes, readUploaded } from '../../../../contract/pictures.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { FetchError, fetchPublic } from '../../../platform/http/fetch-public.ts'
import { addPicture, holdPicture, type PictureDeps } from '../service.ts'
import * as repository from './repository.ts'

export { holdCopies } from './repository.ts'

/** For a file with all its redirects. */
const timeoutMs = 20_000
const connectTimeoutMs = 5_000

/** Replaces a URL by a picture of the shop in these products. Called before any row of a product is locked. */
export type ReplaceImage = (
  tx: Kysely<Database>,
  replacement: { url: string; image: string },
  productIds: string[],
  by: Actor | null,
) => Promise<void>

/** Where downloads may connect to. No setting of the shop changes it: only tests reach servers of their own machine. */
export interface Reach {
  isAllowed?: (ip: string) => boolean
  lookup?: LookupFunction
  ports?: string[]
  timeoutMs?: number
}

interface DownloadDeps extends PictureDeps {
  replaceImage: ReplaceImage
  reach?: Reach
}

/** The port of a URL is empty if it is the standard one. */
const standardPorts = ['']

/**
 * Copies pictures later into the shop. Other downloads of these URLs are repeated, for these products as well.
 *
 * @param hosts the hosts that an admin has allowed, as `URL.hostname` returns them
 */
export const queueDownloads = (
  tx: Kysely<Database>,
  wanted: repository.Wanted[],
  hosts: string[],
  by: Actor,
): Promise<void> => repository.upsertDownloads(tx, wanted, hosts, by.customerId)

/** Copies the pictures that are due, one after the other. Returns 0 if more are due. */
export async function copyPictures(deps: DownloadDeps, signal: AbortSignal): Promise<number | void> {
  while (!signal.aborted) {
    const due = await repository.claimDownload(deps.db)
    if (!due) return
    const start = performance.now()
    await copyDue(deps, due)
    // Encoding takes a whole core, which orders need as well.
    await delay((performance.now() - start) / 2, undefined, { signal }).catch(() => undefined)
  }
  return 0
}

/** A size chart can be in all products. Orders wait for the products of one transaction. */
const productsAtOnce = 100

async function copyDue(
  deps: DownloadDeps,
  { url, product_ids: known, hosts, requested_by, attempts }: repository.DueDownload,
): Promise<void> {
  // The process has ended in each attempt, perhaps by this picture.
  if (attempts > repository.maxAttempts) return repository.failDownload(deps.db, url, 'unreachable')
  const by = { customerId: requested_by, ip: null }
  try {
    const file = await download(url, hosts, deps.reach)
    const { image } = await addPicture(deps, file, by.customerId, { yields: true })
    for (let start = 0; start + productsAtOnce < known.length; start += productsAtOnce) {
      const some = known.slice(start, start + productsAtOnce)
      await inTransaction(deps.db, (tx) => deps.replaceImage(tx, { url, image }, some, by))
    }
    await inTransaction(deps.db, async (tx) => {
      const productIds = await repository.storeCopy(tx, { url, image })
      if (productIds) await deps.replaceImage(tx, { url, image }, productIds, by)
    })
  } catch (error) {
    const problem = toProblem(error)
    if (problem === null) {
      await repository.releaseDownload(deps.db, url)
      throw error
    }
    const isRepeated = problem === 'unreachable' && attempts < repository.maxAttempts
    if (!isRepeated) await repository.failDownload(deps.db, url, problem)
  }
}

/**
 * Returns the bytes behind a URL.
 *
 * @param hosts the only hosts to which it may lead
 * @throws FetchError
 */
export function download(
  from: string,
  hosts: string[],
  { ports = standardPorts, ...reach }: Reach = {},
): Promise<Buffer> {
  return fetchPublic(from, {
    maxBytes: maxPictureBytes,
    timeoutMs,
    connectTimeoutMs,
    accepts: ({ hostname, port, username, password }) =>
      hosts.includes(hostname) && ports.includes(port) && username === '' && password === '',
    ...reach,
  })
}

/** Returns why a file cannot be copied; null for an error that is not about the file. */
function toProblem(error: unknown): DownloadProblem | null {
  if (error instanceof FetchError) return error.problem === 'failed' ? 'refused' : error.problem
  if (!(error instanceof ShopError)) return null
  return pictureProblems[error.code] ?? null
}

const pictureProblems: Partial<Record<ShopError['code'], DownloadProblem>> = {
  PICTURE_KIND_REFUSED: 'not_an_image',
  PICTURE_HAS_TOO_MANY_PIXELS: 'too_many_pixels',
  PICTURE_UNREADABLE: 'damaged',
}

/** @param name a file name, in any of the forms that a URL can have */
export async function readDownloads(db: Kysely<Database>, name?: string): Promise<PictureDownloads> {
  const names = name ? [name, encodeURI(name), encodeURIComponent(name)] : undefined
  const [counts, listed] = await Promise.all([
    repository.countDownloads(db),
    repository.listOpenDownloads(
      db,
      names?.map((each) => each.toLowerCase()),
    ),
  ])
  return {
    ...counts,
    listed: listed.map(({ reason, ...download }) => ({
      ...download,
      ...(reason !== null && { reason: downloadProblems[reason] }),
    })),
  }
}

/**
 * Uses an uploaded picture in place of a URL that was not copied.
 *
 * @throws DOWNLOAD_NOT_FOUND, PICTURE_NOT_FOUND
 */
export function assignPicture(
  { db, replaceImage }: Pick<DownloadDeps, 'db' | 'replaceImage'>,
  { url, image }: { url: string; image: string },
  by: Actor,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const productIds = await repository.storeCopy(tx, { url, image })
    if (!productIds) throw new ShopError('DOWNLOAD_NOT_FOUND')
    await replaceImage(tx, { url, image }, productIds, by)
    // Last, because a batch of an import locks pictures after it has made other changes wait.
    const uploaded = readUploaded(image)
    if (!uploaded || !(await holdPicture(tx, uploaded))) throw new ShopError('PICTURE_NOT_FOUND')
  })
}

export const retryDownloads = (db: Kysely<Database>): Promise<void> => repository.retryFailed(db)
