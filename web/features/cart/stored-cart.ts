import type { CartLine } from '../../../contract/cart.ts'
import { onAccessTokenChange, readAccessToken } from '../../access-token.ts'

/** Key of a guest's cart in localStorage: its lines as JSON. */
const linesKey = 'cart'
/** Key of the number of lines in the customer's cart, as last returned by the shop, and when it changed. */
const countKey = 'cart-count'

/** Called after a change. `isOwn`: this tab has made it. */
type Listener = (isOwn: boolean) => void
const listeners = new Set<Listener>()
let isWatching = false

/** Returns what looks like the lines of a guest. Empty also if the browser does not allow the shop to store data. */
export function readStoredLines(): unknown[] {
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(linesKey) ?? '[]')
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

/** Stores the lines of a guest. Throws if the browser cannot store them. */
export function storeLines(lines: CartLine[]): void {
  if (lines.length === 0) localStorage.removeItem(linesKey)
  else localStorage.setItem(linesKey, JSON.stringify(lines))
  notify(true)
}

/** Returns the number of lines in the customer's cart, or null if it is unknown. */
export function readStoredCount(): number | null {
  try {
    const stored = localStorage.getItem(countKey)
    return stored === null ? null : Number.parseInt(stored, 10) || 0
  } catch {
    return null
  }
}

/** Stores the number of lines in the customer's cart. A change is stored even if the number is the same, for other tabs. */
export function storeCount(count: number, hasChanged: boolean): void {
  if (readAccessToken() === null || (!hasChanged && count === readStoredCount())) return
  try {
    localStorage.setItem(countKey, `${count} ${Date.now()}`)
  } catch {
    // Only the number in the navigation bar is outdated.
  }
  notify(true)
}

/** The number of lines in the cart, without a call. */
export function countCartLines(): number {
  const count = readAccessToken() === null ? null : readStoredCount()
  return count ?? readStoredLines().length
}

/** Calls `listener` when the cart or its owner changes, in any tab. Returns a function that removes it. */
export function onCartChange(listener: Listener): () => void {
  listeners.add(listener)
  if (!isWatching) {
    isWatching = true
    addEventListener('storage', ({ key }) => {
      if (key === linesKey || key === countKey || key === null) notify(false)
    })
    onAccessTokenChange(() => {
      forgetCountOfCustomer()
      notify(false)
    })
    // The customer may have left the page while signing out.
    forgetCountOfCustomer()
  }
  return () => listeners.delete(listener)
}

function notify(isOwn: boolean): void {
  for (const listener of listeners) listener(isOwn)
}

function forgetCountOfCustomer(): void {
  try {
    if (readAccessToken() === null) localStorage.removeItem(countKey)
  } catch {
    // Nothing is stored.
  }
}
