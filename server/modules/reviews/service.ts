import type { Kysely } from 'kysely'
import type { NewReview, Review } from '../../../contract/reviews.ts'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/database.ts'
import * as repository from './repository.ts'

export { listReviews } from './repository.ts'

/** Author of a review, whose fields are copied into it. */
interface Reviewer {
  /** Null for seeded reviews. */
  id: string | null
  name: string
  photo: string
  email: string
}

/** Stores a review. Returns its id. */
export async function addReview(
  db: Kysely<Database>,
  { id: customer_id, name, photo, email }: Reviewer,
  { designation = '', review = '' }: NewReview,
  created_at?: Date,
): Promise<string> {
  const id = newId()
  await repository.insertReview(db, { id, customer_id, name, photo, email, designation, review, created_at })
  return id
}

/** Converts a review to the wire format. Only its author and admins receive the full email. */
export function presentReview(
  review: repository.Review,
  reader: { customerId: string; role: 'admin' | null } | null,
): Review {
  const mayReadEmail =
    reader?.role === 'admin' || (reader !== null && reader.customerId === review.customer_id)
  return {
    _id: review.id,
    name: review.name,
    photo: review.photo,
    email: mayReadEmail ? review.email : maskEmail(review.email),
    designation: review.designation,
    review: review.review,
  }
}

/** Masks `jane@example.com` as `j***@example.com`. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/u, '$1***@')
}
