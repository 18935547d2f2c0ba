import type { QuoteLine } from '../../../contract/cart.ts'
import type { FitResult } from '../../../contract/fit.ts'
import { ApiError, call } from '../../api.ts'
import { readFromTab, storeInTab } from '../../tab-storage.ts'
import { removeUnknown, updateName } from '../garage/garage.ts'
import { type DescribedFit, describeWarning } from './texts.ts'

/** Key of the products, bikes and kinds of fit that the rider orders in spite of a warning, in the storage of the tab. */
const acceptedKey = 'fit-accepted'
const maxAccepted = 200

/** An answer that takes longer must not hold the order. */
const timeoutMs = 5_000

/** The bike to order a product for. */
export interface OrderedBike {
  bike: number | undefined
}

/** Returns whether a product fits a bike. The garage gets the present name of the bike, or loses an unknown one. */
export async function requestFit(product: string, bike: number, signal: AbortSignal): Promise<FitResult> {
  try {
    const fit = await call('getFit', { query: { product, bike }, signal })
    updateName(fit.bike)
    return fit
  } catch (error) {
    removeUnknown(bike, error)
    throw error
  }
}

/**
 * Warns once per product, bike and answer if the product is not known to fit, and not again for a better answer. Returns null if the rider cancels, and no bike if
 * the shop does not have it. A failure is not a warning.
 */
export async function checkBike(
  product: string,
  bike: number,
  warn: (fit: FitResult) => Promise<boolean>,
): Promise<OrderedBike | null> {
  if (isAccepted(product, bike, 'does_not_fit')) return { bike }
  try {
    const fit = await requestFit(product, bike, AbortSignal.timeout(timeoutMs))
    if (fit.needsNoBike) return { bike: undefined }
    if (!describeWarning(fit) || isAccepted(product, bike, fit.answer)) return { bike }
    if (!(await warn(fit))) return null
    accept(product, bike, fit.answer)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BIKE_NOT_FOUND') return { bike: undefined }
  }
  return { bike }
}

/**
 * Warns before an order with parts that do not fit, unless the rider has accepted that in this tab: the fit may have
 * changed since the line was added. Returns whether the rider goes on.
 */
export async function checkLines(
  lines: Pick<QuoteLine, 'productId' | 'kind' | 'fit'>[],
  warn: (fit: DescribedFit, kind: string | undefined) => Promise<boolean>,
): Promise<boolean> {
  for (const { productId, kind, fit } of lines) {
    if (fit?.answer !== 'does_not_fit' || isAccepted(productId, fit.bike.id, fit.answer)) continue
    if (!(await warn(fit, kind))) return false
    accept(productId, fit.bike.id, fit.answer)
  }
  return true
}

const toKey = (product: string, bike: number, answer: string) => `${product} ${bike} ${answer}`

const isAccepted = (product: string, bike: number, answer: string) =>
  ['does_not_fit', answer].some((each) => readAccepted().includes(toKey(product, bike, each)))

const accept = (product: string, bike: number, answer: string) =>
  storeInTab(acceptedKey, [...readAccepted(), toKey(product, bike, answer)].slice(-maxAccepted))

function readAccepted(): unknown[] {
  const stored = readFromTab(acceptedKey)
  return Array.isArray(stored) ? stored : []
}
