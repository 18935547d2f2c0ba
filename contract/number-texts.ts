/**
 * The number of the vehicle maker, of another parts maker, or an old number that is no longer used. The product replaces
 * or equals the part with this number.
 */
export const partNumberKinds = ['oem', 'interchange', 'supersedes'] as const

export interface PartNumber {
  kind: (typeof partNumberKinds)[number]
  /** Absent: not stated. */
  maker?: string | undefined
  /** As printed. Comparisons ignore case, spaces and punctuation. */
  number: string
}

/** A number with its maker, as people read it. */
export const describePartNumber = ({ maker, number }: Omit<PartNumber, 'kind'>): string =>
  [maker, number].filter(Boolean).join(' ')

/** How a product is related to a number: `Replaces Honda 45251-MEE-006`. */
export const explainPartNumber = (number: PartNumber): string =>
  `${number.kind === 'interchange' ? 'Equivalent to' : 'Replaces'} ${describePartNumber(number)}`

export const maxDescribed = 50

/**
 * Numbers as text for the history of a product: at most 50 of them.
 *
 * @param total the number of them, if `numbers` has only the first ones
 */
export function describePartNumbers(numbers: PartNumber[], total: number = numbers.length): string | null {
  if (numbers.length === 0) return null
  const texts = numbers.slice(0, maxDescribed).map((each) => `${each.kind} ${describePartNumber(each)}`)
  const others = total - texts.length
  return [...texts, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
}
