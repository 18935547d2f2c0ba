import * as z from 'zod/mini'
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

/** The order is only compared, never sent again, so its parts are not checked. */
const StoredAttempt = z.object({
  key: z.uuid(),
  customerId: z.nullable(z.string()),
  checkout: z.looseObject({}),
  form: z.unknown(),
  isUnanswered: z.boolean(),
})

const storageKey = 'checkout'

/** Statuses of a request that the shop rejected before it looked at the order: it may exist from an earlier attempt. */
const uninformative = [401, 408, 429]

/** Places an order. A repeated attempt of the same order sends the same key, also after a reload. Throws ApiError. */
export async function placeCheckout(
  customerId: string | null,
  checkout: Checkout,
  form: unknown,
): Promise<PlacedOrder> {
  const earlier = readAttempt(customerId, z.unknown())
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

/** Returns the open attempt of this buyer, or null. `Form` is what `placeCheckout` got, and has the shape of `form`. */
export function readAttempt<Form>(customerId: string | null, form: z.ZodMiniType): Attempt<Form> | null {
  const attempt = parse(read())
  const isOpen = attempt?.customerId === customerId && form.safeParse(attempt.form).success
  return isOpen ? (attempt as Attempt<Form>) : null
}

/** Returns null if the text is not an attempt. An older version of the shop may have stored it. */
function parse(stored: string | null): Attempt<unknown> | null {
  try {
    const attempt: unknown = JSON.parse(stored ?? 'null')
    // Not the parsed value: the order of its properties may differ, and it is compared as text.
    return StoredAttempt.safeParse(attempt).success ? (attempt as Attempt<unknown>) : null
  } catch {
    return null
  }
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
