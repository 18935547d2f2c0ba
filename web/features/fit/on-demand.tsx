import { useEffect } from 'react'
import type { QuoteLine } from '../../../contract/cart.ts'
import type { Product } from '../../../contract/catalog.ts'
import { onDemand } from '../../on-demand.ts'
import { useSettings } from '../../router/router.tsx'
import { loadQuietly, mayHaveBike, tools } from '../garage/bar.tsx'
import type { StoredBike } from '../garage/stored-garage.ts'
import type { OrderedBike } from './check.ts'
import { ChooseToFilter, NoBike } from './no-bike.tsx'

// Product pages have this file. The rest is loaded with the garage, for riders who have a bike or choose one.

const answers = onDemand(() => import('./answers.tsx'))

/** The code that shows whether parts fit, for riders who have a bike, or for the bike of a page. */
function useAnswers(hasBike = false) {
  const isWanted = tools.useIsWanted()
  useEffect(() => {
    if (hasBike) loadQuietly()
  }, [hasBike])
  useEffect(() => {
    // If it fails, the next page tries it again.
    if (isWanted) answers.load().catch(() => undefined)
  }, [isWanted])
  return answers.useCode()
}

/**
 * Whether the fit of a product depends on a bike. One without a kind and fitments has the default kind of fit: nothing says
 * so. `needsNoBike` in the fit for a bike is the same rule.
 */
export const asksForBike = ({ kind, fitKind }: Pick<Product, 'kind' | 'fitKind'>, fitments: number) =>
  fitKind !== 'vehicle' || kind !== undefined || fitments > 0

interface FitBadgeProps {
  product: Pick<Product, '_id' | 'kind' | 'fitKind'>
  /** URL of the bikes that the product is listed for, if it has any. */
  bikesHref?: string | undefined
}

/** Whether a product fits the bike, in reserved space. Nothing for gear. */
export function FitBadge({ product, bikesHref }: FitBadgeProps) {
  const { hasBikes } = useSettings()
  const code = useAnswers()
  if (!hasBikes || product.fitKind === 'gear') return null
  return (
    <div
      role="status"
      className="flex min-h-41 flex-col justify-center gap-1 rounded-card border border-line bg-surface px-3 py-2 lg:min-h-33"
    >
      {code && <code.Badge product={product} bikesHref={bikesHref} />}
      <NoBike />
    </div>
  )
}

interface FitMarkProps {
  productId: string
  /** The bike of the list. Null: the current one. */
  bike: number | null
  /** Whether the mark names the bike. Only for the current one, in a list that names another bike. */
  isNamed: boolean
}

/** Short form of the fit, on the picture of a product card. */
export function FitMark(props: FitMarkProps) {
  const code = useAnswers(props.bike !== null)
  return code && <code.Mark {...props} />
}

/** Offers to make the bike of a page the current one, in reserved space. */
export function UseBike({ bike }: { bike: StoredBike }) {
  const code = useAnswers(true)
  return <p className="flex min-h-11 items-center">{code && <code.UseBike bike={bike} />}</p>
}

interface OnlyFittingProps {
  /** Returns the URL of the list for a bike. */
  toList: (bike: number) => string
  /** Whether the list for the current bike opens without a click, unless the rider wants parts for any bike. */
  opensItself: boolean
  /** The names of the models that the list is for: another bike gets no link. */
  models?: string[]
}

/** Link from a list to its parts that fit the current bike, in reserved space. */
export function OnlyFitting(props: OnlyFittingProps) {
  const { hasBikes } = useSettings()
  const code = useAnswers()
  if (!hasBikes) return null
  return (
    <p className="min-h-16 pb-4 md:min-h-10">
      {code && <code.OnlyFittingLink {...props} />}
      <ChooseToFilter />
    </p>
  )
}

/**
 * Finds the bike to order a product for. Warns once if the product is not known to fit it; returns null if the rider
 * cancels. Gear has no bike, and a product without a kind needs one only if it has fitments for it.
 *
 * @param action text of the button that goes on
 */
export async function checkFit(product: Product, action: string): Promise<OrderedBike | null> {
  // If the code cannot be loaded, the product is ordered without a bike.
  const code = product.fitKind !== 'gear' && mayHaveBike() ? await answers.load().catch(() => null) : null
  return code ? code.checkFit(product, action) : { bike: undefined }
}

/** Asks before an order of parts that do not fit. Returns whether the rider goes on. */
export async function checkFits(lines: Pick<QuoteLine, 'productId' | 'kind' | 'fit'>[]): Promise<boolean> {
  if (lines.every(({ fit }) => fit?.answer !== 'does_not_fit')) return true
  // If the code cannot be loaded, the lines themselves show that they do not fit.
  const code = await answers.load().catch(() => null)
  return code ? code.checkFits(lines) : true
}
