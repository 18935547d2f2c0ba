import type { Metadata, Sharp } from 'sharp'
import { maxPicturePixels, type pictureTypes } from '../../../contract/picture-uploads.ts'
import { photoWidth, pictureFormats, pictureWidths } from '../../../contract/pictures.ts'
import { ShopError } from '../../platform/errors.ts'
import { loadSharp } from './load-sharp.ts'
import type { PictureFile } from './repository.ts'

/** Increase this when the encoding changes: picture URLs are cached as immutable. */
export const encoderVersion = 1

const secondsAtMost = 20
const white = '#ffffff'

/**
 * Encodes a picture in all widths and formats. Applies the orientation, converts to sRGB, and removes metadata such
 * as the location.
 *
 * @throws PICTURE_KIND_REFUSED, PICTURE_HAS_TOO_MANY_PIXELS, PICTURE_UNREADABLE
 */
export async function makeRenditions(upload: Buffer): Promise<PictureFile[]> {
  const sharp = await loadSharp()
  const { width, height } = await readMetadata(upload)
  const frame = Math.max(width, (height * 4) / 3)
  const widest = pictureWidths.find((each) => each >= frame) ?? pictureWidths[2]
  const master = await readable(
    resized(sharp(upload, { limitInputPixels: maxPicturePixels, failOn: 'error' }).autoOrient(), widest)
      .toColourspace('srgb')
      .timeout({ seconds: secondsAtMost })
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const { width: masterWidth, height: masterHeight, channels } = master.info
  const raw = { width: masterWidth, height: masterHeight, channels }
  const made: PictureFile[] = []
  for (const each of pictureWidths.filter((one) => one <= widest)) {
    const picture = () => resized(sharp(master.data, { raw }), each)
    for (const format of pictureFormats) {
      made.push({ width: each, format, content: await picture()[format](quality[format]).toBuffer() })
    }
  }
  const jpeg = sharp(master.data, { raw }).flatten({ background: white }).jpeg(quality.jpeg)
  return [...made, { width: widest, format: 'jpeg', content: await jpeg.toBuffer() }]
}

/**
 * Encodes the photo of a profile as a square, which is cut from its middle.
 *
 * @throws PICTURE_KIND_REFUSED, PICTURE_HAS_TOO_MANY_PIXELS, PICTURE_UNREADABLE
 */
export async function makePhoto(upload: Buffer): Promise<PictureFile[]> {
  const sharp = await loadSharp()
  await readMetadata(upload)
  const options = { limitInputPixels: maxPicturePixels, failOn: 'error' } as const
  const square = await readable(
    sharp(upload, options)
      .autoOrient()
      .resize(photoWidth, photoWidth, { fit: 'cover' })
      .flatten({ background: white })
      .toColourspace('srgb')
      .timeout({ seconds: secondsAtMost })
      .png()
      .toBuffer(),
  )
  const encode = async (format: PictureFile['format']) => ({
    width: photoWidth,
    format,
    content: await sharp(square)[format](quality[format]).toBuffer(),
  })
  return [await encode('avif'), await encode('webp'), await encode('jpeg')]
}

/** Phones show an icon without a ground on black. */
const homeScreenSize = 180

/** Encodes a stored picture as a square PNG, with transparent bars if it is not square. */
export async function makeIcon(picture: Buffer, size: number): Promise<Buffer> {
  const sharp = await loadSharp()
  const icon = sharp(picture)
    .resize(size, size, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .timeout({ seconds: secondsAtMost })
  return (size === homeScreenSize ? icon.flatten({ background: white }) : icon).png().toBuffer()
}

const quality = {
  avif: { quality: 55, effort: 3 },
  webp: { quality: 78 },
  jpeg: { quality: 80, mozjpeg: true },
}

const resized = (picture: Sharp, width: number) =>
  picture.resize(width, (width * 3) / 4, { fit: 'inside', withoutEnlargement: true })

/** Returns width and height after the orientation is applied. */
async function readMetadata(upload: Buffer): Promise<{ width: number; height: number }> {
  const type = detectPictureType(upload)
  if (!type) throw new ShopError('PICTURE_KIND_REFUSED')
  const sharp = await loadSharp()
  const metadata = await readable(sharp(upload, { limitInputPixels: false }).metadata())
  if (toType(metadata) !== type) throw new ShopError('PICTURE_KIND_REFUSED')
  const { width, height } = metadata.autoOrient
  if (width * height > maxPicturePixels) throw new ShopError('PICTURE_HAS_TOO_MANY_PIXELS')
  return { width, height }
}

const toType = ({ format, compression }: Metadata): string =>
  format === 'heif' && compression === 'av1' ? 'image/avif' : `image/${format}`

/** Turns errors of the decoder into a client error. */
async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ShopError('PICTURE_UNREADABLE', { cause: error })
  }
}

/**
 * Detects the type of a file by its first bytes; null if the shop does not accept it. Runs before any decoder, so an
 * SVG, which can contain scripts, never reaches one.
 */
function detectPictureType(bytes: Buffer): (typeof pictureTypes)[number] | null {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  if (bytes.length < 16) return null
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (text(4, 8) === 'ftyp' && ['avif', 'avis'].includes(text(8, 12))) return 'image/avif'
  return null
}
