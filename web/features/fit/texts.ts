import type { FitResult } from '../../../contract/fit.ts'
import type { FitAnswer } from '../../../contract/fit-answer.ts'
import { listDetails } from './details.ts'

/** An answer with its reasons, for a product or the line of a cart. */
export interface DescribedFit extends Pick<FitResult, 'answer' | 'fitments' | 'versions'> {
  bike: { id: number; name: string }
}

const compare = 'Compare the part number or the dimensions before you order.'

/**
 * The answer as a sentence, one line for each matching fitment with a position, pieces or a note, or for the versions that
 * it fits instead, and what to do without an answer.
 */
export function describeFit({ answer, bike: { name }, fitments, versions }: DescribedFit): {
  text: string
  details: string[]
  advice: string
} {
  const isUnknown = answer === 'not_confirmed'
  const places = answer === 'fits' ? fitments.map((fitment) => listDetails(fitment).join(' · ')) : []
  const details = isUnknown && versions.length > 0 ? [toOtherVersions(versions)] : places
  return {
    text: toSentence(answer, name, versions.join(', ')),
    details: [...new Set(details)].filter(Boolean),
    advice: isUnknown ? compare : '',
  }
}

function toSentence(answer: FitAnswer, bike: string, versions: string): string {
  if (answer === 'fits') return `Fits your ${bike}`
  if (answer === 'fits_some') return `Fits some versions of the ${bike}: ${versions}.`
  if (answer === 'does_not_fit') return `Does not fit your ${bike}.`
  if (answer === 'universal') return 'Universal part. Check the specification before you order.'
  return answer === 'gear' ? '' : `We don't know whether this part fits your ${bike}.`
}

const toOtherVersions = (versions: string[]) =>
  `It is listed for another version of your bike (${versions.join(', ')}).`

/** The warning before an order of a part that does not fit, or for which it is not known. Null if it needs none. */
export function describeWarning({ answer, bike: { name }, versions }: DescribedFit) {
  if (answer === 'does_not_fit') {
    return {
      title: 'This part does not fit your bike.',
      text: `The manufacturer's list does not include the ${name}.`,
    }
  }
  if (answer !== 'not_confirmed') return null
  const reason = versions.length > 0 ? toOtherVersions(versions) : `It isn't listed for the ${name}.`
  return { title: "We don't know whether this part fits your bike.", text: `${reason} ${compare}` }
}
