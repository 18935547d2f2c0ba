import { createHash } from 'node:crypto'
import type { ListedProduct } from './queries.ts'

/** What is drawn of a product. */
export type PicturedProduct = Pick<
  ListedProduct,
  'id' | 'name' | 'brand' | 'kind' | 'sku' | 'image' | 'price_cents' | 'minimum_quantity'
>

/** `card` says what the product is and costs, for where it is shared; `plain` is its drawing alone, for merchant centres. */
export type Look = 'card' | 'plain'

/** Raise it with every change of how pictures are drawn: they get other addresses by it. */
const drawnBy = 2

/** Where a product's picture stands. Its address is another one as soon as it looks otherwise. */
export function drawnPath(product: PicturedProduct, look: Look): string {
  const { id, name, brand, kind, sku, image, price_cents, minimum_quantity } = product
  const shown = look === 'card' ? [image, name, brand, kind, sku, price_cents, minimum_quantity] : [image]
  const hash = createHash('sha256').update(JSON.stringify([drawnBy, look, ...shown]))
  return `/pictures/products/${id}/${hash.digest('hex').slice(0, 12)}-${look}.png`
}

/** Where the picture stands that is drawn for the shop itself. */
export const shopCardPath = `/pictures/shop-card-${drawnBy}.png`

/** Whether a product's picture is one of the shop's drawings, which are SVG: merchant centres take none. */
export const isDrawing = (image: string): boolean => /^\/pictures\/[^/]+(\/[0-9a-f]{6})?\.svg$/.test(image)

/** A product's picture for merchant centres: of pixels, and without words on it. */
export function merchantPicture(origin: string, product: PicturedProduct): string {
  if (isDrawing(product.image)) return origin + drawnPath(product, 'plain')
  return URL.parse(product.image, origin)?.href ?? origin + drawnPath(product, 'plain')
}
