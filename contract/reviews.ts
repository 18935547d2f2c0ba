import * as z from 'zod/mini'
import { line, lines } from './fields.ts'

/** A review in API responses. `email` is masked, except for its owner and admins. */
export const Review = z.object({
  _id: z.string(),
  name: z.string(),
  photo: z.string(),
  email: z.string(),
  designation: z.string(),
  review: z.string(),
})
export type Review = z.infer<typeof Review>

/** Name, photo and email come from the session. Other fields of the body are ignored. */
export const NewReview = z.object({ designation: z.optional(line(120)), review: z.optional(lines(2000)) })
export type NewReview = z.infer<typeof NewReview>
