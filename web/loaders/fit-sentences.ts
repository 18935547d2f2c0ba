import type { Bike, BikeReading } from '../../contract/bikes.ts'
import type { Product } from '../../contract/catalog.ts'

/** A sentence about the bike or the make of a list, whose name is between the two texts. */
interface FitSentence {
  before: string
  after: string
}

interface List {
  total: number
  products: Product[]
  /** The searched words beside the bike or make. */
  matching: string
  /** The groups of products behind the list. */
  others: { fit: string }[]
}

interface BikeList extends List {
  bike: Bike | null
  read: BikeReading['read']
  fit: string[]
}

/** Returns what a list says about its bike, or null without one. `years`: the text before the years of a model, if they are listed. */
export function describeBike(list: BikeList): (FitSentence & { years: string }) | null {
  const { total, bike, read, fit, matching, others } = list
  if (!bike && !read) return null
  const hasOnlyBehind = (kind: string) => total === 0 && others.some((group) => group.fit === kind)
  if (hasOnlyBehind('gear') && others.every((group) => group.fit === 'gear')) {
    return { before: 'Gear fits any bike, including the ', after: '.', years: '' }
  }
  const isFitting = total > 0 && (fit.length === 0 || fit.join(' ') === 'fits')
  const isOfYears = findListBike(list) === null
  const words = matching && ` matching “${matching}”`
  const before =
    total === 0
      ? `No parts here${words} are confirmed to fit the `
      : isFitting && !isOfYears
        ? 'Parts that fit the '
        : 'Parts for the '
  const after = [
    total > 0 && words,
    '.',
    hasOnlyBehind('universal') && universal,
    hasOnlyBehind('gear') && gear,
  ]
  const years = isFitting ? 'Each fits at least one year; choose yours to be sure:' : 'Choose your year:'
  return { before, after: after.filter(Boolean).join(''), years: isOfYears ? years : '' }
}

/** Returns what a list says about the make that its words name. `isIgnored`: no product is for the make. */
export function describeMake(
  { products, matching }: List,
  { isIgnored }: { isIgnored: boolean },
): FitSentence {
  if (!isIgnored) {
    const words = matching && ` matching “${matching}”`
    return { before: 'Parts for ', after: `${words}; each fits at least one model.` }
  }
  const kinds = new Set(products.map(({ fitKind }) => fitKind ?? 'vehicle'))
  if (kinds.has('gear') && kinds.size === 1) return { before: 'Gear fits any bike, including ', after: '.' }
  const isOfBikes = kinds.size === 0 || kinds.has('vehicle')
  const after = [
    isOfBikes ? '.' : ' only.',
    kinds.has('universal') && universal,
    kinds.has('gear') && gear,
    kinds.has('vehicle') && ' Compare the part number.',
  ]
  return {
    before: `No parts matching “${matching}” are ${isOfBikes ? 'listed' : 'made'} for `,
    after: after.filter(Boolean).join(''),
  }
}

const universal = ' Universal parts fit most bikes.'
const gear = ' Gear fits any bike.'

/** Returns the bike that a list is for. Null without one, and for a model without one of its years. */
export function findListBike({ bike, read }: Pick<BikeList, 'bike' | 'read'>): number | null {
  if (bike) return bike.id
  const [first = null, ...others] = read?.bikes ?? []
  return read?.isOtherYear || others.length > 0 ? null : first
}
