import { toYears } from '../../../contract/bike-urls.ts'
import { defaultFitmentSource, type EditedFitment, type EditedFitments } from '../../../contract/fitments.ts'

/** The values of a fitment that the list of its product may contain once. */
const toKey = ({ make, model, yearFrom, yearTo, version, position, source }: EditedFitment) =>
  JSON.stringify([
    make,
    model,
    yearFrom,
    yearTo,
    version ?? '',
    position ?? '',
    source || defaultFitmentSource,
  ])

/**
 * Checks the fit kind of a product, and whether its list may be complete. Returns messages by field.
 *
 * @param total number of its fitments
 */
export function checkFitKind(
  { fitKind, complete }: Pick<EditedFitments, 'fitKind' | 'complete'>,
  total: number,
): Record<string, string> {
  if (fitKind !== 'vehicle' && total > 0) {
    return { fitKind: 'Universal parts and gear have no fitments. Remove them first' }
  }
  return complete && total === 0 ? { complete: 'A complete list needs at least one bike' } : {}
}

/**
 * Checks edited fitments. Returns messages by field.
 *
 * @param isKnown whether the shop has a model
 */
export function checkFitments(
  fitments: EditedFitment[],
  isKnown: (fitment: EditedFitment) => boolean,
): Record<string, string> {
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

export interface DescribedFitment {
  /** The name of the model. */
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
    const years = toYears({ yearFrom: each.year_from, yearTo: each.year_to })
    const pieces = each.pieces === null ? null : `${each.pieces} per bike`
    return [`${years} ${each.name}`, each.version, each.position, pieces, each.note]
      .filter(Boolean)
      .join(', ')
  })
  const others = total - texts.length
  return [...texts, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
}
