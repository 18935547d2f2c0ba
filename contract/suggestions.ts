import * as z from 'zod/mini'
import { line } from './fields.ts'

/** The text of a search field, perhaps typed in part. */
export const SuggestionQuery = z.object({ q: line(100) })

export const maxSuggestions = 8

/** A page that a text may mean. `path`: its path with its query. The type `parts` is a list of parts for a bike or a make. */
const Suggestion = z.object({
  type: z.enum(['parts', 'bike', 'make', 'kind', 'brand', 'product']),
  name: z.string(),
  /** The part number of a product that begins with the text. */
  number: z.optional(z.string()),
  path: z.string(),
})
export type Suggestion = z.infer<typeof Suggestion>

export const Suggestions = z.object({ suggestions: z.array(Suggestion) })
