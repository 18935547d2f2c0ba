import { readText } from '../../local-storage.ts'

const key = 'any-bike'

/** Whether the rider wants it in a browser that cannot store it. */
let isWantedHere = false

/** Whether the rider wants lists of the parts for any bike, although there is a current one. */
export const wantsAnyBike = (): boolean => isWantedHere || readText(key) !== null

/** Stores what the rider wants for the next lists, until another bike is chosen. */
export function rememberAnyBike(isWanted: boolean): void {
  isWantedHere = false
  try {
    if (isWanted) localStorage.setItem(key, 'true')
    else localStorage.removeItem(key)
  } catch {
    isWantedHere = isWanted
  }
}
