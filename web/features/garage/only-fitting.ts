import { readText } from '../../browser-store.ts'

const key = 'only-fitting'

/** Whether the rider wants lists with only the parts that fit the current bike. */
export const wantsOnlyFitting = (): boolean => readText(key) !== null

/** Stores what the rider wants for the next lists. */
export function rememberOnlyFitting(isWanted: boolean): void {
  try {
    if (isWanted) localStorage.setItem(key, 'true')
    else localStorage.removeItem(key)
  } catch {
    // Only this list is as the rider wants it.
  }
}
