import * as z from 'zod/mini'
import { line, requiredLine } from './fields.ts'
import { isUploadedImage } from './pictures.ts'

/** Why a picture could not be copied. */
export const downloadProblems = {
  not_public: 'This address is not on the public internet.',
  other_host: 'It leads to a host that was not chosen, or to an unusual port.',
  refused: 'The server refused the request.',
  unreachable: 'The server could not be reached, or was too slow.',
  too_large: 'The file is larger than 12 MB.',
  too_many_pixels: 'The image is larger than 50 megapixels.',
  not_an_image: 'This is not a JPEG, PNG, WebP or AVIF image.',
  damaged: 'The image file is damaged.',
} as const
export type DownloadProblem = keyof typeof downloadProblems

/** A picture that is not copied. Without a `reason` it waits for the next attempt. */
const OpenDownload = z.object({
  url: z.string(),
  reason: z.optional(z.string()),
  /** Number of products that show it. */
  products: z.int(),
})
export type OpenDownload = z.infer<typeof OpenDownload>

/** The pictures of all imports that are to be copied, were copied, or could not be copied. */
export const PictureDownloads = z.object({
  waiting: z.int(),
  done: z.int(),
  failed: z.int(),
  /** The first ones that failed; with `name`, all that are not copied and have this file name. */
  listed: z.array(OpenDownload),
})
export type PictureDownloads = z.infer<typeof PictureDownloads>

/** `name`: the file name in a URL, such as `pads.jpg`, with any capitals. */
export const DownloadQuery = z.object({ name: z.optional(line(255)) })

export const AssignedPicture = z.object({
  url: requiredLine(2000, 'The URL of the missing picture is required'),
  image: requiredLine(200, 'Image is required').check(z.refine(isUploadedImage, 'Upload the picture first')),
})

/** At most this many are listed. */
export const maxListedDownloads = 100

/** Pictures of a product file on one host. */
export const PictureHost = z.object({ host: z.string(), pictures: z.int() })
export type PictureHost = z.infer<typeof PictureHost>

export const maxPictureHosts = 50

/** `hosts`: pictures on these hosts are copied into the shop. */
export const ImportedPictures = z.object({
  hosts: z.optional(
    z
      .array(requiredLine(253, 'A host has a name'))
      .check(z.maxLength(maxPictureHosts, `At most ${maxPictureHosts} hosts`)),
  ),
})

/**
 * Returns the URLs whose path ends like a file's path: `a/1.jpg` fits `https://x.example/files/a/1.jpg` better than
 * `/b/1.jpg`. Empty if several pictures fit equally well.
 *
 * @param urls with the same file name as the file
 */
export function matchFile(path: string, urls: string[]): string[] {
  const parts = toParts(path)
  const rank = (url: string) => {
    const other = toParts(toPath(url))
    const differing = parts.findIndex((part, index) => part !== other[index])
    return differing === -1 ? parts.length : differing
  }
  const best = Math.max(...urls.map(rank))
  const found = urls.filter((url) => rank(url) === best)
  return new Set(found.map(toPath)).size === 1 ? found : []
}

/** The parts of a path, the last one first. */
const toParts = (path: string): string[] =>
  path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
    .toReversed()

function toPath(url: string): string {
  // Safari 17 has no `URL.parse`.
  const path = URL.canParse(url) ? new URL(url).pathname : url
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
