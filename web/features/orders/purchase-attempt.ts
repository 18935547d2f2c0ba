import type { Purchase } from '../../../contract/orders.ts'
import type { PurchaseValues } from './purchase-values.ts'

interface Attempt {
  /** Sent as `Idempotency-Key`: the same key never orders twice. */
  key: string
  /** What was sent under the key. */
  sent: string
  values: PurchaseValues
}

const storageKey = (productId: string) => `purchase:${productId}`

/**
 * The key for this purchase. Until an answer has come the same purchase keeps its key, through double clicks and
 * reloads of the page; other content gets another one.
 */
export function keyOfAttempt(purchase: Purchase, values: PurchaseValues): string {
  const sent = JSON.stringify(purchase)
  const open = readAttempt(purchase.productId)
  const key = open?.sent === sent ? open.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey(purchase.productId), JSON.stringify({ key, sent, values }))
  return key
}

/** What was typed for a purchase whose answer never came. */
export const valuesOfOpenAttempt = (productId: string): PurchaseValues | null =>
  readAttempt(productId)?.values ?? null

/** The answer has come: the next purchase is a new one. */
export function closeAttempt(productId: string): void {
  sessionStorage.removeItem(storageKey(productId))
}

function readAttempt(productId: string): Attempt | null {
  const stored = sessionStorage.getItem(storageKey(productId))
  return stored ? (JSON.parse(stored) as Attempt) : null
}
