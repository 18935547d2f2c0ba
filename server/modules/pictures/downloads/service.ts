import type { LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, RawBuilder } from 'kysely'
import {
  type DownloadProblem,
  downloadProblems,
  type PictureDownloads,
} from '../../../../contract/picture-downloads.ts'
import { maxPictureBytes } from '../../../../contract/picture-uploads.ts'
import { readUploaded } from '../../../../contract/pictures.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { FetchError, fetchPublic } from '../../../platform/http/fetch-public.ts'
import { addPicture, holdPicture, type PictureDeps } from '../service.ts'
import * as repository from './repository.ts'

export { holdCopies, retryFailed } from './repository.ts'

/** For a file with all its redirects. */
const timeoutMs = 20_000
const connectTimeoutMs = 5_000

/** The picture that takes the place of a URL. */
interface Replacement {
  url: string
  image: string
}

/** How the products of the shop show pictures. Both are called before any row of a product is locked. */
export interface ProductPictures {
  /** Lists which of these products show a URL and are not deleted. */
  listShowing(tx: Kysely<Database>, url: string, productIds: string[]): Promise<string[]>
  /** Replaces a URL by a picture of the shop in these products. */
  replaceImage(
    tx: Kysely<Database>,
    replacement: Replacement,
    productIds: string[],
    by: Actor | null,
  ): Promise<void>
}

/** Where downloads may connect to. No setting of the shop changes it: only tests reach servers of their own machine. */
export interface Reach {
  isAllowed?: (ip: string) => boolean
  lookup?: LookupFunction
  ports?: string[]
  timeoutMs?: number
}

interface DownloadDeps extends PictureDeps {
  products: ProductPictures
  reach?: Reach
}

/** The port of a URL is empty if it is the standard one. */
const standardPorts = ['']

/**
 * Copies pictures later into the shop. Other downloads of these URLs are repeated, for these products as well.
 *
 * @param wanted a query of rows with `url` and `product_id`
 * @param hosts the hosts that an admin has allowed, as `URL.hostname` returns them
 */
export const queueDownloads = (
  tx: Kysely<Database>,
  wanted: RawBuilder<unknown>,
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

async function copyDue(deps: DownloadDeps, due: repository.DueDownload): Promise<void> {
  const { url, hosts, requested_by, attempts } = due
  // The process has ended in each attempt, perhaps by this picture.
  if (attempts > repository.maxAttempts) return repository.failDownload(deps.db, due, 'unreachable')
  const by = { customerId: requested_by, ip: null }
  try {
    const file = await download(url, hosts, deps.reach)
    const { image } = await addPicture(deps, file, by.customerId, { yields: true })
    await storeCopy(deps, { url, image }, by)
  } catch (error) {
    const problem = toProblem(error)
    if (problem === null) {
      await repository.releaseDownload(deps.db, due)
      throw error
    }
    const isRepeated = problem === 'unreachable' && attempts < repository.maxAttempts
    if (!isRepeated) await repository.failDownload(deps.db, due, problem)
  }
}

/** A size chart can be in all products. Orders wait for the products of one transaction. */
const productsAtOnce = 100

/**
 * Replaces the URL of a download in all products, in transactions of some products each, and stores its copy with the last of
 * them. If the process ends in between, the download is not done, and a repetition replaces the rest.
 *
 * @returns false if the download is done or does not exist
 */
async function storeCopy(
  { db, products }: Pick<DownloadDeps, 'db' | 'products'>,
  replacement: Replacement,
  by: Actor,
): Promise<boolean> {
  for (;;) {
    const left = await inTransaction(db, async (tx): Promise<string[] | boolean> => {
      const productIds = await repository.lockOpenDownload(tx, replacement.url)
      if (!productIds) return false
      const showing = await products.listShowing(tx, replacement.url, productIds)
      if (showing.length > productsAtOnce) return showing
      await products.replaceImage(tx, replacement, showing, by)
      await repository.storeCopy(tx, replacement)
      return true
    })
    if (typeof left === 'boolean') return left
    for (let start = 0; start < left.length; start += productsAtOnce) {
      const some = left.slice(start, start + productsAtOnce)
      await inTransaction(db, (tx) => products.replaceImage(tx, replacement, some, by))
    }
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
export async function assignPicture(
  deps: Pick<DownloadDeps, 'db' | 'products'>,
  { url, image }: Replacement,
  by: Actor,
): Promise<void> {
  // First, because it waits for a file that is checked: then no product is locked.
  const uploaded = readUploaded(image)
  if (!uploaded || !(await holdPicture(deps.db, uploaded))) throw new ShopError('PICTURE_NOT_FOUND')
  if (!(await storeCopy(deps, { url, image }, by))) throw new ShopError('DOWNLOAD_NOT_FOUND')
}
