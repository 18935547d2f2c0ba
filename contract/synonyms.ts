import * as z from 'zod/mini'
import { editedRevision, id, newRowId, requiredLine } from './fields.ts'

const maxPhrases = 20
/** A search reads no longer phrase, in words. */
export const maxPhraseWords = 4

const phrase = requiredLine(60, 'Phrase is required').check(
  z.regex(/[\p{L}\p{N}]/u, 'A phrase needs a letter or a digit'),
  // An editor separates phrases by commas.
  z.regex(/^[^,]*$/, 'A phrase has no comma'),
  z.refine(
    (text: string) => text.split(/\s+/).length <= maxPhraseWords,
    `A phrase has at most ${maxPhraseWords} words`,
  ),
)

/** Words for the same thing. A search for one of them finds the products with any of them. */
export const EditedSynonyms = z.object({
  phrases: z.array(phrase).check(
    z.minLength(2, 'Enter at least 2 phrases, separated by commas'),
    z.maxLength(maxPhrases, `At most ${maxPhrases} phrases`),
    z.refine((phrases) => new Set(phrases.map(toLowerCase)).size === phrases.length, {
      error: 'Enter each phrase once',
      // The messages of single phrases come first.
      when: ({ issues }) => issues.length === 0,
    }),
  ),
  revision: editedRevision,
})
export type EditedSynonyms = z.infer<typeof EditedSynonyms>

const toLowerCase = (text: string) => text.toLowerCase()

export const SynonymsId = z.object({ id })
/** The browser names a new group, so that a repeated request adds one. */
export const EditedSynonymsId = z.object({ id: newRowId })

/** `revision` changes with each saved change. */
export const Synonyms = z.extend(EditedSynonyms, { id: z.string(), revision: z.string() })
export type Synonyms = z.infer<typeof Synonyms>

/** The groups that admins have added, and those that are part of the shop. */
export const SynonymList = z.object({
  added: z.array(Synonyms),
  shipped: z.array(z.array(z.string())),
})
export type SynonymList = z.infer<typeof SynonymList>
