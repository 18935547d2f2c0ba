import type { EditedFitment, EditedFitments } from '../../../contract/fitment.ts'
import { toSlug } from '../../../contract/product.ts'

/** The values of a fitment that the list of its product may contain once. */
const toKey = ({ make, model, yearFrom, yearTo, version, position, source }: EditedFitment) =>
  JSON.stringify([make, model, yearFrom, yearTo, version ?? '', position ?? '', source ?? ''])

/**
 * Checks edited fitments. Returns messages by field.
 *
 * @param isKnown whether the shop has a model
 */
export function checkFitments(
  { fitKind, complete, fitments }: Omit<EditedFitments, 'revision'>,
  isKnown: (fitment: EditedFitment) => boolean,
): Record<string, string> {
  if (fitKind !== 'vehicle' && fitments.length > 0) {
    return { fitKind: 'Universal parts and gear have no fitments. Remove them first' }
  }
  if (complete && fitments.length === 0) return { complete: 'A complete list needs at least one bike' }
  const errors: Record<string, string> = {}
  const keys = fitments.map(toKey)
  for (const [index, fitment] of fitments.entries()) {
    const field = `fitments.${index}`
    if (fitment.yearTo < fitment.yearFrom) {
      errors[`${field}.yearTo`] = 'The last year is before the first year'
    } else if (!isKnown(fitment)) {
      errors[`${field}.model`] = 'The shop does not have this model. Add it on the Bikes page first'
    } else if (keys.indexOf(toKey(fitment)) < index) {
      errors[`${field}.model`] = 'This fitment is in the list twice'
    }
  }
  return errors
}

interface DescribedFitment {
  /** Of the model. */
  name: string
  year_from: number
  year_to: number
  version: string | null
  position: string | null
  pieces: number | null
  note: string | null
}

const maxDescribed = 50

/**
 * Fitments as text for the history of a product: at most 50 of them.
 *
 * @param total their number, if `fitments` has only the first ones
 */
export function describeFitments(
  fitments: DescribedFitment[],
  total: number = fitments.length,
): string | null {
  if (fitments.length === 0) return null
  const texts = fitments.slice(0, maxDescribed).map((each) => {
    const years = each.year_from === each.year_to ? each.year_from : `${each.year_from}–${each.year_to}`
    const pieces = each.pieces === null ? null : `${each.pieces} per bike`
    return [`${years} ${each.name}`, each.version, each.position, pieces, each.note]
      .filter(Boolean)
      .join(', ')
  })
  const others = total - texts.length
  return [...texts, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
}

/** The form in which names of bikes are compared: lower case, only letters and digits. */
export const toAliasKey = (name: string): string => toSlug(name).replaceAll('-', '')

const aYear = /^(?:19|20)\d\d$/

/** Splits a text such as `2009 r6` into a year and other words, in the form of `toAliasKey`. */
export function readBikeWords(text: string): { year: number | null; words: string[] } {
  const typed = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const year = typed.find((word) => aYear.test(word))
  return {
    year: year === undefined ? null : Number(year),
    words: typed.filter((word) => word !== year).map(toAliasKey),
  }
}
