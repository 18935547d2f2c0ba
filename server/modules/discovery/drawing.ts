import sharp from 'sharp'
import { ShopError } from '../../platform/shop-error.ts'
import { createTurnstile } from '../../platform/turnstile.ts'
import { findDrawing } from '../catalog/service.ts'
import { cardSize, drawCard, type Frame } from './card.ts'
import { drawnPath, type Look, type PicturedProduct } from './pictures.ts'

/** A grey, for a drawing that is shown in no colour of its own. */
const noTint = '85888f'
const plainSize = { width: 1200, height: 900 } as const

export interface PicturesOptions {
  shopName: string
  /** How much of what was drawn is kept. */
  mostBytes?: number
  /** How many may wait while one is drawn; the next is refused. */
  waiting?: number
}

/** Draws a product's picture, as PNG, or finds the one that it drew before. @throws UNAVAILABLE where too many wait */
export type DrawPicture = (product: PicturedProduct, look: Look) => Promise<Buffer>

/** Draws one picture at a time, and keeps those that were asked for last, within a bound. */
export function createPictures({
  shopName,
  mostBytes = 16_000_000,
  waiting = 16,
}: PicturesOptions): DrawPicture {
  const turn = createTurnstile({ atOnce: 1, waiting, refuse: () => new ShopError('UNAVAILABLE') })
  const kept = new Map<string, Buffer>()
  let bytes = 0

  function keep(path: string, picture: Buffer): void {
    kept.set(path, picture)
    bytes += picture.length
    for (const [oldest, { length }] of kept) {
      if (bytes <= mostBytes) return
      kept.delete(oldest)
      bytes -= length
    }
  }

  function find(path: string): Buffer | undefined {
    const picture = kept.get(path)
    // The last asked for stands last, and goes last.
    if (picture && kept.delete(path)) kept.set(path, picture)
    return picture
  }

  return async (product, look) => {
    const path = drawnPath(product, look)
    const known = find(path)
    if (known) return known
    return turn(async () => {
      // Somebody who waited for the same may have had it drawn.
      const drawn = find(path) ?? (await draw(product, look, shopName))
      if (!kept.has(path)) keep(path, drawn)
      return drawn
    })
  }
}

/** A picture at another host is never loaded: whoever may name one could make the shop ask any address. */
function draw(product: PicturedProduct, look: Look, shopName: string): Promise<Buffer> {
  const drawing = findDrawing(product.image.replace(/^(\/pictures\/[^/]+)\.svg$/, `$1/${noTint}.svg`))
  const frame = drawing === null ? null : framed(drawing)
  if (look === 'card') return toPng(drawCard(product, shopName, frame), cardSize.width)
  if (frame === null) throw new ShopError('NOT_FOUND')
  const { width, height } = plainSize
  const page = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#fff"/>${frame({ x: 0, y: 0, width, height })}</svg>`
  return toPng(page, width)
}

const framed =
  (drawing: string): Frame =>
  ({ x, y, width, height }) =>
    drawing.replace(/ width="\d+" height="\d+"/, ` x="${x}" y="${y}" width="${width}" height="${height}"`)

const toPng = (svg: string, width: number): Promise<Buffer> =>
  sharp(Buffer.from(svg)).resize({ width }).flatten({ background: '#fff' }).png().toBuffer()
