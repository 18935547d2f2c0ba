import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { ShopReads } from '../web/context.ts'
import { presentProduct } from './modules/catalog/present.ts'
import * as catalog from './modules/catalog/service.ts'
import { presentReview } from './modules/reviews/present.ts'
import * as reviews from './modules/reviews/service.ts'

/** What the public pages read, without a detour over HTTP. */
export function shopReads(db: Kysely<Database>): ShopReads {
  return {
    async products(query) {
      const { rows, total } = await catalog.listProducts(db, query)
      return { products: rows.map(presentProduct), total }
    },
    async product(id) {
      const product = await catalog.findProduct(db, id)
      return product ? presentProduct(product) : null
    },
    async reviews({ pageSize } = {}) {
      const rows = await reviews.listReviews(db, pageSize)
      return rows.map((review) => presentReview(review, null))
    },
  }
}
