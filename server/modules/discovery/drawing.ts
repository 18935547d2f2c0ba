import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/shop-error.ts'
import { createTurnstile } from '../../platform/turnstile.ts'
import { findDrawing } from '../catalog/service.ts'
import { findUploaded } from '../pictures/service.ts'
import { cardSize, drawCard, drawShopCard, type Frame } from './card.ts'
import { drawnPath, type Look, type PicturedProduct, shopCardPath } from './pictures.ts'

/** A grey, for a drawing that is shown in no colour of its own. */
const noTint = '85888f'
const plainSize = { width: 1200, height: 900 } as const

export interface PicturesOptions {
  shopName: string
  /** Where uploaded pictures are; without it products that have one are drawn without. */
  db?: Kysely<Database>
  /** How much of what was drawn is kept. */
  mostBytes?: number
  /** How many may wait while one is drawn; the next is refused. */
  waiting?: number
}

/** Pictures as PNG: drawn, or found where they were drawn before. @throws UNAVAILABLE where too many wait */
export interface Pictures {
  ofProduct: (product: PicturedProduct, look: Look) => Promise<Buffer>
  ofShop: () => Promise<Buffer>
}

/** Draws one picture at a time, and keeps those that were asked for last, within a bound. */
export function createPictures(options: PicturesOptions): Pictures {
  const { shopName, mostBytes = 16_000_000, waiting = 16 } = options
  const turn = createTurnstile({ atOnce: 1, waiting, refuse: () => new ShopError('UNAVAILABLE') })
  const kept = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: ({ length }) => length })

  async function drawnOnce(path: string, draw: () => Promise<Buffer>): Promise<Buffer> {
    const known = kept.get(path)
    if (known) return known
    return turn(async () => {
      // Somebody who waited for the same may have had it drawn.
      const picture = kept.get(path) ?? (await draw())
      kept.set(path, picture)
      return picture
    })
  }

  return {
    ofProduct: (product, look) => drawnOnce(drawnPath(product, look), () => draw(product, look, options)),
    ofShop: () => drawnOnce(shopCardPath, () => drawShop(shopName)),
  }
}

function drawShop(shopName: string): Promise<Buffer> {
  const motorcycle = findDrawing('/pictures/hero.svg')
  if (motorcycle === null) throw new Error('drawings/hero.svg is missing')
  return toPng(drawShopCard(shopName, framed(motorcycle)), cardSize.width)
}

async function draw(
  product: PicturedProduct,
  look: Look,
  { shopName, db }: PicturesOptions,
): Promise<Buffer> {
  const drawing = findDrawing(product.image.replace(/^(\/pictures\/[^/]+)\.svg$/, `$1/${noTint}.svg`))
  if (look === 'card') {
    const frame = drawing === null ? await uploadedFrame(product.image, db) : framed(drawing)
    return toPng(drawCard(product, shopName, frame), cardSize.width)
  }
  if (drawing === null) throw new ShopError('NOT_FOUND')
  const { width, height } = plainSize
  const page = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#fff"/>${framed(drawing)({ x: 0, y: 0, width, height })}</svg>`
  return toPng(page, width)
}

/** A picture at another host is never loaded: whoever may name one could make the shop ask any address. */
async function uploadedFrame(image: string, db: Kysely<Database> | undefined): Promise<Frame | null> {
  const file = db && (await findUploaded(db, image))
  if (!file) return null
  // Twice as large as it is shown, and of a kind that SVG can hold.
  const picture = await sharp(file)
    .resize({ width: 1040, height: 780, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 90 })
    .toBuffer()
  return ({ x, y, width, height }) =>
    `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/jpeg;base64,${picture.toString('base64')}"/>`
}

const framed =
  (drawing: string): Frame =>
  ({ x, y, width, height }) =>
    drawing.replace(/ width="\d+" height="\d+"/, ` x="${x}" y="${y}" width="${width}" height="${height}"`)

const toPng = (svg: string, width: number): Promise<Buffer> =>
  sharp(Buffer.from(svg)).resize({ width }).flatten({ background: '#fff' }).png().toBuffer()
