import type { FitAnswer } from '../../../contract/fit-answer.ts'

type ShownAnswer = Exclude<FitAnswer, 'gear'>

/** Short forms, for lists. */
export const fitLabels: Record<ShownAnswer, string> = {
  fits: 'Fits',
  fits_some: 'Fits some versions',
  does_not_fit: 'Does not fit',
  not_confirmed: 'Fit not confirmed',
  universal: 'Universal part',
}

/** The short form with the name of the bike. */
export function nameFit(answer: ShownAnswer, bike: string): string {
  if (answer === 'universal') return fitLabels.universal
  const preposition =
    answer === 'fits' || answer === 'does_not_fit' ? '' : answer === 'fits_some' ? 'of ' : 'for '
  return `${fitLabels[answer]} ${preposition}your ${bike}`
}
