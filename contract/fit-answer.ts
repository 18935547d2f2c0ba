/** How a product depends on the bike. `vehicle`: it is made for particular bikes. */
export const fitKinds = ['vehicle', 'universal', 'gear'] as const
export type FitKind = (typeof fitKinds)[number]

/** Whether a product fits a bike. Missing data are `not_confirmed`, never yes or no. */
export const fitAnswers = ['fits', 'fits_some', 'does_not_fit', 'not_confirmed', 'universal', 'gear'] as const
export type FitAnswer = (typeof fitAnswers)[number]
/** Texts for a line of a cart or an order. Gear has no bike. */
export const orderLineFits = ['fits', 'fits_some', 'does_not_fit', 'not_confirmed', 'universal'] as const
export type OrderLineFit = (typeof orderLineFits)[number]

const fitWhenOrdered: Record<OrderLineFit, string> = {
  fits: 'fits',
  fits_some: 'fits some versions',
  does_not_fit: 'does not fit',
  not_confirmed: 'not confirmed',
  universal: 'universal part',
}

/** The status colour of each answer. */
export const fitTones = {
  fits: 'good',
  fits_some: 'wait',
  does_not_fit: 'bad',
  not_confirmed: 'quiet',
  universal: 'quiet',
} as const satisfies Record<OrderLineFit, string>

export type FitTone = (typeof fitTones)[OrderLineFit]

interface OrderedFit {
  bike: { name: string }
  answer: OrderLineFit
  position?: string | undefined
}

/** The texts about the bike of an ordered line, for customers and admins. The answer has a tone. None without a bike. */
export function listFitTexts(fit: OrderedFit | undefined): { text: string; tone?: FitTone }[] {
  if (!fit) return []
  const answer = { text: `Fit when ordered: ${fitWhenOrdered[fit.answer]}`, tone: fitTones[fit.answer] }
  const position = fit.position ? [{ text: `Position: ${fit.position}` }] : []
  return [{ text: `Bike: ${fit.bike.name}` }, answer, ...position]
}

/** The texts of `listFitTexts`, without tones. */
export const describeOrderedFit = (fit: OrderedFit | undefined): string[] =>
  listFitTexts(fit).map(({ text }) => text)

interface RatedProduct {
  fitKind: FitKind
  /** Whether its fitments name every bike that it fits. */
  fitComplete: boolean
}

interface RatedBike {
  make: string
  model: string
  year: number
  /** Empty: not stated. */
  version: string
}

interface Coverage {
  make: string
  model: string
  yearFrom: number
  yearTo: number
  /** Absent: every version. */
  version?: string | undefined
}

/** An answer with its reasons. */
export interface Fit<Fitment> {
  answer: FitAnswer
  /** The fitments that cover the bike; for `fits_some` the fitments for its other versions. */
  fitments: Fitment[]
  /** The versions that the product fits, if it does not fit the bike as stated. */
  versions: string[]
}

/** Decides whether a product fits a bike. `fitments`: all fitments of the product. */
export function decideFit<Fitment extends Coverage>(
  product: RatedProduct,
  bike: RatedBike,
  fitments: readonly Fitment[],
): Fit<Fitment> {
  if (product.fitKind !== 'vehicle') return { answer: product.fitKind, fitments: [], versions: [] }
  const covering = fitments.filter(
    ({ make, model, yearFrom, yearTo }) =>
      make === bike.make && model === bike.model && yearFrom <= bike.year && bike.year <= yearTo,
  )
  const matching = covering.filter(
    ({ version }) => version === undefined || isSameVersion(version, bike.version),
  )
  if (matching.length > 0) return { answer: 'fits', fitments: matching, versions: [] }
  const versions = new Map<string, string>()
  for (const { version } of covering) {
    if (version === undefined) continue
    const key = toVersionKey(version)
    if (!versions.has(key)) versions.set(key, version)
  }
  const distinct = [...versions.values()]
  if (covering.length > 0 && bike.version === '') {
    return { answer: 'fits_some', fitments: covering, versions: distinct }
  }
  const answer = product.fitComplete ? 'does_not_fit' : 'not_confirmed'
  return { answer, fitments: [], versions: distinct }
}

/** Ignores the case of A to Z, like `lower(version collate "C")` in SQL. */
const isSameVersion = (a: string, b: string): boolean => toVersionKey(a) === toVersionKey(b)

const toVersionKey = (version: string): string =>
  version.replaceAll(/[A-Z]/g, (capital) => capital.toLowerCase())
