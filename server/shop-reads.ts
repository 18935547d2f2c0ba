import type { Kysely } from 'kysely'
import type { Product } from '../contract/catalog.ts'
import { toCents } from '../contract/money.ts'
import type { Database } from '../db/schema.ts'
import * as catalog from './modules/catalog/service.ts'
import * as discovery from './modules/discovery/service.ts'
import { presentReview } from './modules/reviews/present.ts'
import * as reviews from './modules/reviews/service.ts'
import type { OpenReads } from './page-render.ts'

/**
 * What the public pages read, without a detour over HTTP. Each read names what it shows, in the tags that the triggers of
 * migration 0008 tell: `products`, `availability`, `stock`, `reviews` and each single product.
 */
export function shopReads(db: Kysely<Database>, origin: string): OpenReads {
  return (shows) => ({
    ...catalog.publicReads(db, shows),
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
