import type { FitResult } from '../../../contract/fit.ts'
import type { FitAnswer } from '../../../contract/fit-answer.ts'
import { listDetails } from './labels.ts'

/** An answer with its reasons, for a product or the line of a cart. */
export interface DescribedFit extends Pick<FitResult, 'answer' | 'fitments' | 'versions'> {
  bike: { name: string }
}

/** The answer as a sentence, and one line for each matching fitment with a position, pieces or a note. */
export function describeFit({ answer, bike: { name }, fitments, versions }: DescribedFit): {
  text: string
  details: string[]
} {
  const details =
    answer === 'fits'
      ? [...new Set(fitments.map((fitment) => listDetails(fitment).join(' · ')))].filter(Boolean)
      : []
  return { text: toSentence(answer, name, versions.join(', ')), details }
}

function toSentence(answer: FitAnswer, bike: string, versions: string): string {
  if (answer === 'fits') return `Fits your ${bike}`
  if (answer === 'fits_some') return `Fits some versions of the ${bike}: ${versions}.`
  if (answer === 'does_not_fit') return `Does not fit your ${bike}.`
  if (answer === 'universal') return 'Universal part. Check the specification before you order.'
  if (answer === 'gear') return ''
  if (versions) {
    return `Fit not confirmed. This part is listed for another version of your bike (${versions}).`
  }
  return `Fit not confirmed for your ${bike}. We have no fitment data for this bike. Compare the part number or the dimensions before you order.`
}

/** The warning before an order of a part that does not fit, or for which it is not known. Null if it needs none. */
export function describeWarning({ answer, bike: { name }, versions }: DescribedFit) {
  if (answer === 'does_not_fit') {
    return {
      title: 'This part does not fit your bike.',
      text: `The manufacturer's list does not include the ${name}.`,
    }
  }
  if (answer !== 'not_confirmed') return null
  const reason =
    versions.length > 0
      ? `It is listed for another version of your bike (${versions.join(', ')}).`
      : `We have no fitment data for the ${name}.`
  return {
    title: 'We cannot confirm that this part fits your bike.',
    text: `${reason} Compare the part number or the dimensions before you order.`,
  }
}
