/** Values that the browser does not allow the shop to store. A reload loses them. */
const inMemory = new Map<string, string>()

/** Returns the value that this tab has stored under a key, or null. Another version of the shop may have stored it. */
export function readFromTab(key: string): unknown {
  try {
    return JSON.parse(inMemory.get(key) ?? sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Whether a stored value is an object, whose properties are not known. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Stores a value as JSON until the tab is closed. */
export function storeInTab(key: string, value: unknown): void {
  const text = JSON.stringify(value)
  try {
    sessionStorage.setItem(key, text)
    inMemory.delete(key)
  } catch {
    inMemory.set(key, text)
  }
}

export function removeFromTab(key: string): void {
  inMemory.delete(key)
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing is stored.
  }
}
