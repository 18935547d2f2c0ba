import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import * as customers from '../customers/service.ts'
import * as reviews from './service.ts'

export function registerReviews(calls: Calls, db: Kysely<Database>): void {
  calls.handle('listReviews', async ({ caller }) =>
    (await reviews.listReviews(db)).map((review) => reviews.presentReview(review, caller)),
  )

  calls.handle('addReview', async ({ body, caller }) => {
    const reviewer = await customers.requireCustomerByEmail(db, caller.email)
    return { acknowledged: true, insertedId: await reviews.addReview(db, reviewer, body) }
  })
}
