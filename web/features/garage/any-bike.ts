import { readText } from '../../local-storage.ts'

const key = 'any-bike'

/** Whether the rider wants lists of the parts for any bike, although there is a current one. */
export const wantsAnyBike = (): boolean => readText(key) !== null

/** Stores what the rider wants for the next lists. */
export function rememberAnyBike(isWanted: boolean): void {
  try {
    if (isWanted) localStorage.setItem(key, 'true')
    else localStorage.removeItem(key)
  } catch {
    // Only this list is as the rider wants it.
  }
}
