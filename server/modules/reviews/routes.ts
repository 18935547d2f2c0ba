import { maxReviews } from '../../../contract/reviews.ts'
import type { Calls } from '../../http/calls.ts'
import { pageHeaders } from '../../platform/http/paging.ts'
import * as reviews from './service.ts'

export function registerReviews(calls: Calls, rateLimiter: reviews.ReviewLimiter): void {
  calls.cached('listReviews', async ({ query, caller, db, url, addHeaders }) => {
    const { rows, total } = await reviews.listReviews(db, query)
    addHeaders(pageHeaders(url, total, maxReviews))
    return rows.map((review) => reviews.presentReview(review, caller))
  })

  calls.handle('addReview', async ({ body, caller, db }) => ({
    acknowledged: true,
    insertedId: await reviews.addCustomerReview({ db, rateLimiter }, caller, body),
  }))
}
