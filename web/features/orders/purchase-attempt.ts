import type { Purchase } from '../../../contract/orders.ts'
import type { PurchaseValues } from './purchase-values.ts'

interface Attempt {
  /** Sent as `Idempotency-Key`: the server never places two orders for one key. */
  key: string
  /** The request body as JSON. */
  sent: string
  values: PurchaseValues
}

const storageKey = (productId: string) => `purchase:${productId}`

/**
 * Returns the idempotency key of this purchase. Double clicks and page reloads reuse it until the attempt is closed; a
 * changed purchase gets a new one.
 */
export function getAttemptKey(purchase: Purchase, values: PurchaseValues): string {
  const sent = JSON.stringify(purchase)
  const open = readAttempt(purchase.productId)
  const key = open?.sent === sent ? open.key : crypto.randomUUID()
  sessionStorage.setItem(storageKey(purchase.productId), JSON.stringify({ key, sent, values }))
  return key
}

/** Form values of a purchase that got no response, or null. */
export const getOpenAttemptValues = (productId: string): PurchaseValues | null =>
  readAttempt(productId)?.values ?? null

/** Deletes the key, so that the next purchase gets a new one. */
export function closeAttempt(productId: string): void {
  sessionStorage.removeItem(storageKey(productId))
}

function readAttempt(productId: string): Attempt | null {
  const stored = sessionStorage.getItem(storageKey(productId))
  return stored ? (JSON.parse(stored) as Attempt) : null
}
