import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Database, ReviewsTable } from '../../../db/schema.ts'

export type Review = Selectable<ReviewsTable>

/** Reviews that have a text, newest first; all of them, or the first `limit`. */
export function listReviews(db: Kysely<Database>, limit?: number): Promise<Review[]> {
  const all = db
    .selectFrom('reviews')
    .select(['id', 'customer_id', 'name', 'photo', 'email', 'designation', 'review', 'created_at'])
    .where('review', '<>', '')
    .orderBy('created_at', 'desc')
    .orderBy('id')
  return (limit === undefined ? all : all.limit(limit)).execute()
}

export async function insertReview(db: Kysely<Database>, review: Insertable<ReviewsTable>): Promise<void> {
  await db.insertInto('reviews').values(review).execute()
}
