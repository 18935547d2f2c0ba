import type { CartLine } from '../../../contract/cart.ts'
import { readAccessToken } from '../../access-token.ts'
import { browserStore } from '../../browser-store.ts'

/**
 * `cart`: the lines of a guest as JSON. `cart-count`: the number of lines in the customer's cart, as last returned by the
 * shop, and when it changed.
 */
const store = browserStore({
  keys: ['cart', 'cart-count'],
  parse: (lines = null, count = null) => ({
    lines: parseLines(lines),
    count: count === null ? null : Number.parseInt(count, 10) || 0,
  }),
  listCopies: () => ['cart-count'],
})

function parseLines(text: string | null): unknown[] {
  try {
    const lines: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(lines) ? lines.filter(isLine) : []
  } catch {
    return []
  }
}

/** A rough check of a stored line: every page counts the lines, and none of them should load the schema for that. */
function isLine(stored: Partial<CartLine> | null): boolean {
  return (
    typeof stored?.variantId === 'string' && Number.isInteger(stored.quantity) && Number(stored.quantity) > 0
  )
}

/** Returns what looks like the lines of a guest. */
export const readStoredLines = (): unknown[] => store.read().lines

/** Stores the lines of a guest. Throws if the browser cannot store them. */
export const storeLines = (lines: CartLine[]): void =>
  store.write('cart', lines.length === 0 ? null : JSON.stringify(lines))

/** Returns the number of lines in the customer's cart, or null if it is unknown. */
export const readStoredCount = (): number | null => store.read().count

/** Stores the number of lines in the customer's cart. A change is stored even if the number is the same, for other tabs. */
export function storeCount(count: number, hasChanged: boolean): void {
  if (readAccessToken() === null || (!hasChanged && count === readStoredCount())) return
  try {
    store.write('cart-count', `${count} ${Date.now()}`)
  } catch {
    // Only the number in the navigation bar is outdated.
  }
}

/** The number of lines in the cart, without a call. */
export function countCartLines(): number {
  const { lines, count } = store.read()
  return (readAccessToken() === null ? null : count) ?? lines.length
}

/** Calls `listener` when the cart or its owner changes, in any tab. Returns a function that removes it. */
export const onCartChange = store.subscribe
