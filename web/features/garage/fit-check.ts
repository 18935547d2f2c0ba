import type { FitResult } from '../../../contract/fitment.ts'
import { ApiError, call } from '../../api.ts'
import { readFromTab, storeInTab } from '../../tab-storage.ts'
import { describeWarning } from './fit-texts.ts'
import { removeUnknown, updateName } from './garage.ts'

/** Key of the pairs of product and bike that the rider orders in spite of a warning, in the storage of the tab. */
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
 * Warns once per product and bike if the product is not known to fit. Returns null if the rider cancels, and no bike if
 * the shop does not have it. A failure is not a warning.
 */
export async function checkBike(
  product: string,
  bike: number,
  warn: (fit: FitResult) => Promise<boolean>,
): Promise<OrderedBike | null> {
  const pair = `${product} ${bike}`
  if (readAccepted().includes(pair)) return { bike }
  try {
    const fit = await requestFit(product, bike, AbortSignal.timeout(timeoutMs))
    if (!describeWarning(fit)) return { bike }
    if (!(await warn(fit))) return null
    storeInTab(acceptedKey, [...readAccepted(), pair].slice(-maxAccepted))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BIKE_NOT_FOUND') return { bike: undefined }
  }
  return { bike }
}

function readAccepted(): unknown[] {
  const stored = readFromTab(acceptedKey)
  return Array.isArray(stored) ? stored : []
}
