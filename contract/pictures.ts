/**
 * Widths in pixels of the 4:3 frame of an uploaded picture. A tall picture is narrower than its frame. Pictures are
 * never enlarged.
 */
export const pictureWidths = [320, 640, 1280] as const

/** The formats for browsers, smallest files first. */
export const pictureFormats = ['avif', 'webp'] as const

const uploaded = /^\/pictures\/uploaded\/([0-9a-f]{32})-(320|640|1280)\.jpeg$/

/** Whether it is the URL of an uploaded picture, as `uploadedImageUrl` returns it. */
export const isUploadedImage = (url: string): boolean => uploaded.test(url)

/** Width and height of a profile photo: the first of `pictureWidths`. */
export const photoWidth = 320

/** The URL that a product stores for an uploaded picture: the widest JPEG, which all clients can show. */
export const uploadedImageUrl = (hash: string, widest: number): string =>
  `/pictures/uploaded/${hash}-${widest}.jpeg`

/** Returns the hash and the largest width of an uploaded picture by its URL; null for another one. */
export function readUploaded(image: string): { hash: string; widest: number } | null {
  const [, hash, widest] = uploaded.exec(image) ?? []
  return hash ? { hash, widest: Number(widest) } : null
}

/** Widths of the square icon of a shop: a browser tab, the home screen of a phone, and a large one. */
export const iconSizes = [32, 180, 512] as const

/** Returns the URL of an uploaded picture as a square PNG: not all browsers and phones show other formats as an icon. */
export const iconUrl = (image: string, size: (typeof iconSizes)[number]): string | null => {
  const found = readUploaded(image)
  return found && `/pictures/icon/${found.hash}-${size}.png`
}

const drawing = /^(\/pictures\/[^/]+(?:\/[0-9a-f]{6})?)\.svg$/

/** The size of a drawing rendered as PNG, as social networks recommend it. */
export const shareImageSize = { width: 1200, height: 630 } as const

export interface ShareImage {
  /** Absolute. */
  url: string
  /** Only known for the drawings of the shop. */
  size?: typeof shareImageSize
}

/** Returns the image for social networks, search engines and merchant centers: never an SVG. */
export function shareImage(origin: string, image: string): ShareImage {
  const [, path] = drawing.exec(image) ?? []
  if (path) return { url: `${origin}${path}.png`, size: shareImageSize }
  const url = URL.parse(image, origin)?.href
  return url ? { url } : shopShareImage(origin)
}

/** The size of a drawing rendered as PNG for emails. */
export const emailImageSize = { width: 320, height: 240 } as const

/**
 * Returns the picture for emails: never an SVG, because mail programs show none. Null for a picture on another host, which
 * would learn who reads the email.
 */
export function emailImage(origin: string, image: string): string | null {
  const [, path] = drawing.exec(image) ?? []
  if (path) return `${origin}${path}.email.png`
  return uploaded.test(image) ? `${origin}${image}` : null
}

/** Returns the image for pages without a picture: the uploaded one of the shop, or its drawing. */
export const shopShareImage = (origin: string, uploaded: string | null = null): ShareImage =>
  shareImage(origin, uploaded ?? '/pictures/hero.svg')

/** The name of a file in a bucket, below the public URL of the bucket. */
export const objectName = (hash: string, width: number, format: string): string =>
  `pictures/${hash}-${width}.${format}`

interface PictureLinks {
  src: string
  /** Other formats and widths of an uploaded picture. Empty for other pictures. */
  sources: { type: string; srcSet: string }[]
}

/**
 * Returns the URLs of a product's `image` on a page.
 *
 * @param picturesUrl the public URL of the bucket with uploaded pictures; null: the shop serves them
 */
export function pictureLinks(image: string, picturesUrl: string | null): PictureLinks {
  const [, hash, widest] = uploaded.exec(image) ?? []
  if (!hash) return { src: image, sources: [] }
  const toUrl = (width: number, format: string) =>
    picturesUrl
      ? `${picturesUrl}/${objectName(hash, width, format)}`
      : `/pictures/uploaded/${hash}-${width}.${format}`
  const widths = pictureWidths.filter((width) => width <= Number(widest))
  return {
    src: toUrl(Number(widest), 'jpeg'),
    sources: pictureFormats.map((format) => ({
      type: `image/${format}`,
      srcSet: widths.map((width) => `${toUrl(width, format)} ${width}w`).join(', '),
    })),
  }
}
