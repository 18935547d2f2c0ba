import type { Checkout, PlacedOrder } from '../../../contract/checkout.ts'
import { ApiError, call, isClientError } from '../../api.ts'

/** An order of the cart without an answer that it is placed. `Form` is the state of the page that sent it, as JSON. */
export interface Attempt<Form> {
  /** Sent as `Idempotency-Key`: the shop never places two orders for one key. */
  key: string
  /** Null for a guest. */
  customerId: string | null
  checkout: Checkout
  form: Form
  /** Whether the order may have been placed. */
  isUnanswered: boolean
}

const storageKey = 'checkout'

/** Statuses of a request that the shop rejected before it looked at the order: it may exist from an earlier attempt. */
const uninformative = [401, 408, 429]

/** Places an order. A repeated attempt of the same order sends the same key, also after a reload. Throws ApiError. */
export async function placeCheckout(
  customerId: string | null,
  checkout: Checkout,
  form: unknown,
): Promise<PlacedOrder> {
  const earlier = readAttempt(customerId)
  const isRepeated = JSON.stringify(earlier?.checkout) === JSON.stringify(checkout)
  const key = earlier && isRepeated ? earlier.key : crypto.randomUUID()
  const attempt = { key, customerId, checkout, form, isUnanswered: true }
  storeAttempt(attempt)
  try {
    const placed = await call('checkOut', { headers: { 'idempotency-key': key }, body: checkout })
    forgetAttempt()
    return placed
  } catch (error) {
    if (error instanceof ApiError && uninformative.includes(error.status)) {
      storeAttempt({ ...attempt, isUnanswered: isRepeated && earlier?.isUnanswered === true })
    } else if (isClientError(error)) {
      // Nothing was ordered. The form stays for the next attempt.
      storeAttempt({ ...attempt, key: crypto.randomUUID(), isUnanswered: false })
    }
    throw error
  }
}

/** Returns the open attempt of this buyer, or null. `Form` is what `placeCheckout` got. */
export function readAttempt<Form>(customerId: string | null): Attempt<Form> | null {
  const stored = read()
  const attempt = stored ? (JSON.parse(stored) as Attempt<Form>) : null
  return attempt?.customerId === customerId ? attempt : null
}

/** Kept in memory too, for a browser that does not allow the shop to store data. */
let inMemory: string | null = null

function read(): string | null {
  try {
    return sessionStorage.getItem(storageKey) ?? inMemory
  } catch {
    return inMemory
  }
}

function storeAttempt(attempt: Attempt<unknown>): void {
  inMemory = JSON.stringify(attempt)
  try {
    sessionStorage.setItem(storageKey, inMemory)
  } catch {
    // The attempt is lost by a reload.
  }
}

/** Deletes the attempt, so that the next order gets a new key. */
function forgetAttempt(): void {
  inMemory = null
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing is stored.
  }
}
