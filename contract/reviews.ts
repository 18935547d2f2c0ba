import * as z from 'zod/mini'
import { line, lines, paging } from './fields.ts'

/** A review in API responses. `email` is masked, except for its owner and admins. */
export const Review = z.object({
  _id: z.string(),
  name: z.string(),
  photo: z.string(),
  email: z.string(),
  designation: z.string(),
  review: z.string(),
  /** Path of the shop's copy of the customer's present photo, which screens show. */
  avatar: z.optional(z.string()),
})
export type Review = z.infer<typeof Review>

/** A list without `pageSize` has this many rows at most, because a review may be long. */
export const maxReviews = 100

export const ReviewQuery = z.object({
  page: paging.page,
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(maxReviews))),
})
export type ReviewQuery = z.infer<typeof ReviewQuery>

const maxCharacters = 10_000
const tooLong = (text: string) => `${text} can have at most 10,000 characters.`

/** Name, photo and email come from the session. Other fields of the body are ignored. */
export const NewReview = z.object({
  designation: z.optional(line(maxCharacters, tooLong('A designation'))),
  review: z.optional(lines(maxCharacters, tooLong('A review'))),
})
export type NewReview = z.infer<typeof NewReview>
