/** The kinds of pictures that may be uploaded. Phones turn their own kinds into one of these where they are asked to. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

/** 12 MB: what a good phone's camera makes, and half as much again. */
export const maxPictureBytes = 12_000_000
export const maxPicturePixels = 50_000_000

/**
 * The widths that an uploaded picture is made in, in pixels: of the 4:3 frame that it is shown in, which a tall picture
 * does not fill. It is never made larger than it came.
 */
export const pictureWidths = [320, 640, 1280] as const

/** The formats that a picture is made in for browsers, the smallest first. */
export const pictureFormats = ['avif', 'webp'] as const

const uploaded = /^\/pictures\/uploaded\/([0-9a-f]{32})-(320|640|1280)\.jpeg$/

/** The address that a product keeps of its uploaded picture: its widest, as JPEG, which everything can show. */
export const uploadedImageUrl = (hash: string, widest: number): string =>
  `/pictures/uploaded/${hash}-${widest}.jpeg`

const drawing = /^(\/pictures\/[^/]+(?:\/[0-9a-f]{6})?)\.svg$/

/** The size of a drawing rendered as PNG, which is what social networks ask for. */
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

/** Returns the image for pages without a product. */
export const shopShareImage = (origin: string): ShareImage => shareImage(origin, '/pictures/hero.svg')

export interface PictureSource {
  type: string
  srcSet: string
}

/** What an uploaded picture is to be had in beside its own address; nothing for any other picture. */
export function pictureSources(url: string): PictureSource[] {
  const [, hash, widest] = uploaded.exec(url) ?? []
  if (!hash) return []
  const widths = pictureWidths.filter((width) => width <= Number(widest))
  return pictureFormats.map((format) => ({
    type: `image/${format}`,
    srcSet: widths.map((width) => `/pictures/uploaded/${hash}-${width}.${format} ${width}w`).join(', '),
  }))
}
