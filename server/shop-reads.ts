import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import * as catalog from './modules/catalog/service.ts'
import { presentReview } from './modules/reviews/present.ts'
import * as reviews from './modules/reviews/service.ts'
import type { OpenReads } from './page-render.ts'

/**
 * What the public pages read, without a detour over HTTP. Each read names what it shows, in the tags that the triggers of
 * migration 0008 tell: `products`, `availability`, `stock`, `reviews` and each single product.
 */
export function shopReads(db: Kysely<Database>): OpenReads {
  return (shows) => ({
    ...catalog.publicReads(db, shows),
    async reviews({ pageSize } = {}) {
      shows('reviews')
      const rows = await reviews.listReviews(db, pageSize)
      return rows.map((review) => presentReview(review, null))
    },
  })
}
