import type { Insertable, Kysely, Selectable } from 'kysely'
import { maxReviews, type ReviewQuery } from '../../../contract/reviews.ts'
import type { Database, ReviewsTable } from '../../../db/schema.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'

export type Review = Selectable<ReviewsTable>

/** Returns a page of the reviews that have a text, newest first. */
export async function listReviews(
  db: Kysely<Database>,
  { page, pageSize = maxReviews }: ReviewQuery,
): Promise<Page<Review>> {
  const { limit, offset } = toLimitOffset({ page, pageSize })
  const found = db.selectFrom('reviews').where('review', '<>', '')
  const [rows, { total }] = await Promise.all([
    found
      .select(['id', 'customer_id', 'name', 'photo', 'email', 'designation', 'review', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute(),
    found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

export async function insertReview(db: Kysely<Database>, review: Insertable<ReviewsTable>): Promise<void> {
  await db.insertInto('reviews').values(review).execute()
}
