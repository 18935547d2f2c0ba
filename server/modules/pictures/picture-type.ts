import type { pictureTypes } from '../../../contract/pictures.ts'

/**
 * Detects the type of a file by its first bytes; null if the shop does not accept it. Runs before any decoder, so an
 * SVG, which can contain scripts, never reaches one.
 */
export function detectPictureType(bytes: Buffer): (typeof pictureTypes)[number] | null {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to)
  if (bytes.length < 16) return null
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (text(4, 8) === 'ftyp' && ['avif', 'avis'].includes(text(8, 12))) return 'image/avif'
  return null
}
