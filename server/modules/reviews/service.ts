import type { Kysely } from 'kysely'
import { pluralize } from '../../../contract/plurals.ts'
import type { NewReview, Review, ReviewQuery } from '../../../contract/reviews.ts'
import { formatWaitingTime } from '../../../contract/waiting-time.ts'
import type { Database } from '../../../db/schema.ts'
import type { Caller } from '../../platform/actor.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { groupIp } from '../../platform/http/ip.ts'
import type { Page } from '../../platform/http/paging.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import * as customers from '../customers/service.ts'
import * as repository from './repository.ts'

/** A stored review with the path of its author's photo. */
type ShownReview = repository.Review & { avatar: string | undefined }

/** Returns a page of the reviews that have a text, newest first. */
export async function listReviews(db: Kysely<Database>, query: ReviewQuery): Promise<Page<ShownReview>> {
  const { rows, total } = await repository.listReviews(db, query)
  const authors = new Set(rows.flatMap(({ customer_id }) => customer_id ?? []))
  const avatars = await customers.findAvatars(db, [...authors])
  return { rows: rows.map((row) => ({ ...row, avatar: avatars.get(row.customer_id ?? '') })), total }
}

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

export type ReviewLimiter = RateLimiter<keyof ReturnType<typeof reviewLimits>>

export function reviewLimits(perDay: number) {
  const limit = { max: perDay, seconds: 24 * 3600 }
  return { reviewsPerCustomer: limit, reviewsPerIp: limit }
}

/**
 * Stores the review of a customer and counts it. A refused one is not counted: the transaction is rolled back.
 *
 * @throws USER_NOT_FOUND, TOO_MANY_REVIEWS
 */
export async function addCustomerReview(
  { db, rateLimiter }: { db: Kysely<Database>; rateLimiter: ReviewLimiter },
  { email, customerId, ip }: Caller,
  review: NewReview,
): Promise<string> {
  const reviewer = await customers.requireCustomerByEmail(db, email)
  return inTransaction(db, async (tx) => {
    const seconds =
      (await rateLimiter.countIn(tx, 'reviewsPerCustomer', customerId)) ||
      (await rateLimiter.countIn(tx, 'reviewsPerIp', groupIp(ip ?? '')))
    if (seconds > 0) throw tooManyReviews(rateLimiter.limits.reviewsPerCustomer.max, seconds)
    return addReview(tx, reviewer, review)
  })
}

function tooManyReviews(max: number, retryAfter: number): ShopError {
  const reviews = pluralize(max, 'review')
  const message = `You can add ${reviews} a day. Try again in ${formatWaitingTime(retryAfter)}.`
  return new ShopError('TOO_MANY_REVIEWS', { retryAfter, details: { message } })
}

/** Converts a review to the wire format. Only its author and staff with the permission receive the full email. */
export function presentReview(
  review: ShownReview,
  reader: Pick<Caller, 'customerId' | 'permissions'> | null,
): Review {
  const mayReadEmail =
    reader?.permissions.has('customers') || (reader !== null && reader.customerId === review.customer_id)
  return {
    _id: review.id,
    name: review.name,
    photo: review.photo,
    email: mayReadEmail ? review.email : maskEmail(review.email),
    designation: review.designation,
    review: review.review,
    ...(review.avatar !== undefined && { avatar: review.avatar }),
  }
}

/** Masks `jane@example.com` as `j***@example.com`. */
function maskEmail(email: string): string {
  return email.replace(/^(.).*@/u, '$1***@')
}
