import * as z from 'zod/mini'
import { line, lines } from './fields.ts'

/** A review on the wire; `email` is masked except for its owner and for admins. */
export const Review = z.object({
  _id: z.string(),
  name: z.string(),
  photo: z.string(),
  email: z.string(),
  designation: z.string(),
  review: z.string(),
})
export type Review = z.infer<typeof Review>

/** Name, photo and email come from the session, whatever else the body says. */
export const NewReview = z.object({ designation: z.optional(line(120)), review: z.optional(lines(2000)) })
export type NewReview = z.infer<typeof NewReview>
