import * as z from 'zod/mini'
import { anyEmail, id, requiredLines } from './fields.ts'

/**
 * A note of the staff, which only staff who read orders see. `tags` are its words with #, without accents.
 * `at` is in ISO 8601.
 */
export const StaffNote = z.object({
  id: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  at: z.string(),
  /** The email of the author. */
  by: z.string(),
})
export type StaffNote = z.infer<typeof StaffNote>

const oneSubject = 'Send either orderId or email'

/** A note of an order, or of a person by email. */
export const NewNote = z
  .object({
    orderId: z.optional(id),
    email: z.optional(anyEmail),
    body: requiredLines(1000, 'Note is required'),
  })
  .check(
    z.refine(({ orderId, email }) => (orderId === undefined) !== (email === undefined), {
      error: oneSubject,
      path: ['orderId'],
    }),
  )
export type NewNote = z.infer<typeof NewNote>

export const NoteId = z.object({ id })

/** A tag with or without its `#`. */
export const tag = z
  .string()
  .check(z.trim(), z.regex(/^#?[\p{L}\p{N}_-]{1,40}$/u, 'Enter a tag such as #waiting'))
