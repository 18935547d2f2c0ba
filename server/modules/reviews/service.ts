import type { Kysely } from 'kysely'
import type { NewReview } from '../../../contract/reviews.ts'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/ids.ts'
import * as repository from './repository.ts'

export type { Review } from './repository.ts'

/** Reviews that have a text, newest first; all of them, or the first `limit`. */
export function listReviews(db: Kysely<Database>, limit?: number): Promise<repository.Review[]> {
  return repository.listReviews(db, limit)
}

/** Author of a review, whose fields are copied into it. */
export interface Reviewer {
  /** Null for seeded reviews. */
  id: string | null
  name: string
  photo: string
  email: string
}

/** Stores a review. Returns its id. */
export async function addReview(
  db: Kysely<Database>,
  reviewer: Reviewer,
  { designation = '', review = '' }: NewReview,
  createdAt?: Date,
): Promise<string> {
  const id = newId()
  const { name, photo, email } = reviewer
  await repository.insertReview(db, {
    id,
    customer_id: reviewer.id,
    name,
    photo,
    email,
    designation,
    review,
    created_at: createdAt,
  })
  return id
}
