import type { Review } from '../../../contract/reviews.ts'
import type * as repository from './repository.ts'

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
