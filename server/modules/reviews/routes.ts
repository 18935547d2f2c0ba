import type { Calls } from '../../http/calls.ts'
import * as customers from '../customers/service.ts'
import * as reviews from './service.ts'

export function registerReviews(calls: Calls): void {
  calls.handle('listReviews', async ({ caller, db }) =>
    (await reviews.listReviews(db)).map((review) => reviews.presentReview(review, caller)),
  )

  calls.handle('addReview', async ({ body, caller, db }) => {
    const reviewer = await customers.requireCustomerByEmail(db, caller.email)
    return { acknowledged: true, insertedId: await reviews.addReview(db, reviewer, body) }
  })
}
