import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { PageQueries } from '../../web/page-context.ts'
import * as catalog from '../modules/catalog/service.ts'
import * as reviews from '../modules/reviews/service.ts'

/** The queries of the public pages. */
export const createPageQueries = (db: Kysely<Database>): PageQueries => ({
  ...catalog.createPublicQueries(db),
  async reviews({ pageSize } = {}) {
    const rows = await reviews.listReviews(db, pageSize)
    return rows.map((review) => reviews.presentReview(review, null))
  },
})
