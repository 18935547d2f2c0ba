import type { Kysely } from 'kysely'
import type { Product } from '../contract/catalog.ts'
import { toCents } from '../contract/money.ts'
import type { Database } from '../db/schema.ts'
import { presentProduct } from './modules/catalog/present.ts'
import * as catalog from './modules/catalog/service.ts'
import * as discovery from './modules/discovery/service.ts'
import { presentReview } from './modules/reviews/present.ts'
import * as reviews from './modules/reviews/service.ts'
import type { OpenReads } from './page-render.ts'

/** What of a product is shown: any change of it makes the page anew. */
export const productTag = (id: string): string => `product:${id}`

/**
 * What the public pages read, without a detour over HTTP. Each read names what it shows, in the tags that the triggers of
 * migration 0008 tell: `products`, `availability`, `stock`, `reviews` and each single product.
 */
export function shopReads(db: Kysely<Database>, origin: string): OpenReads {
  return (shows) => ({
    async products(query) {
      shows('products')
      if (query.sort?.endsWith('quantity')) shows('stock')
      if (query.inStock) shows('availability')
      const { rows, ...page } = await catalog.listProducts(db, query)
      shows(...rows.map(({ id }) => productTag(id)))
      return { products: rows.map(presentProduct), ...page }
    },
    facets(query) {
      shows('products', 'availability')
      return catalog.countFacets(db, query)
    },
    async product(id) {
      shows(productTag(id))
      const product = await catalog.findProduct(db, id)
      return product ? presentProduct(product) : null
    },
    async productPage(id) {
      shows(productTag(id))
      const product = await catalog.findProduct(db, id)
      if (!product) return (await catalog.wasProduct(db, id)) ? 'gone' : null
      shows('products')
      const related = await catalog.listRelated(db, product, 4)
      shows(...related.map(({ id }) => productTag(id)))
      return { product: presentProduct(product), related: related.map(presentProduct) }
    },
    async reviews({ pageSize } = {}) {
      shows('reviews')
      const rows = await reviews.listReviews(db, pageSize)
      return rows.map((review) => presentReview(review, null))
    },
    async cardOf(product) {
      return product ? discovery.drawnPath(pictured(product), 'card') : discovery.shopCardPath
    },
    async pictureOf(product) {
      return discovery.merchantPicture(origin, pictured(product))
    },
  })
}

/** A product of the wire, as it is drawn. */
const pictured = ({
  _id,
  name,
  brand,
  kind,
  sku,
  image,
  price,
  minimum,
}: Product): discovery.PicturedProduct => ({
  id: _id,
  name,
  brand: brand ?? null,
  kind: kind ?? null,
  sku: sku ?? null,
  image,
  price_cents: toCents(price),
  minimum_quantity: minimum,
})
