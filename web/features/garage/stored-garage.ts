import { useSyncExternalStore } from 'react'
import type { Garage } from '../../../contract/garage.ts'
import { maxGarageBikes } from '../../../contract/garage.ts'
import { onAccessTokenChange, readAccessToken } from '../../access-token.ts'

/** Key of the garage in localStorage, as JSON. */
const garageKey = 'garage'

export interface StoredBike {
  id: number
  /** Such as `2009 Yamaha YZF-R6`. */
  name: string
}

export interface StoredGarage {
  bikes: StoredBike[]
  /** The id of the current bike. */
  current: number | null
  /** The customer whose garage at the shop this is a copy of; absent for that of a guest. */
  customerId?: string
}

const empty: StoredGarage = { bikes: [], current: null }

const listeners = new Set<() => void>()
let isWatching = false
let lastText: string | null = null
let lastGarage = empty

/** Returns the stored text; null also if the browser does not allow the shop to store data. */
function readText(): string | null {
  try {
    return localStorage.getItem(garageKey)
  } catch {
    return null
  }
}

/** Returns the garage of this browser. Content that the shop did not store counts as empty. */
export function readGarage(): StoredGarage {
  const text = readText()
  if (text !== lastText) {
    lastText = text
    lastGarage = parseGarage(text)
  }
  return lastGarage
}

/** Parses a stored garage. Returns an empty one for anything else. */
export function parseGarage(text: string | null): StoredGarage {
  try {
    const { bikes, current, customerId } = JSON.parse(text ?? '') as StoredGarage
    const ids = new Set(bikes.map(({ id }) => id))
    if (!bikes.every(isBike) || ids.size < bikes.length || ids.size > maxGarageBikes) return empty
    return {
      bikes: bikes.map(({ id, name }) => ({ id, name })),
      current: bikes.some(({ id }) => id === current) ? current : null,
      ...(typeof customerId === 'string' && { customerId }),
    }
  } catch {
    return empty
  }
}

/** The shop would refuse a merge with a larger id. */
const maxId = 2_147_483_647

const isBike = ({ id, name }: StoredBike) =>
  Number.isInteger(id) &&
  id > 0 &&
  id <= maxId &&
  typeof name === 'string' &&
  name !== '' &&
  name.length <= 300

/** Stores the garage of a guest, or a copy of that of a customer. Throws if the browser cannot store it. */
export function storeGarage(garage: StoredGarage): void {
  if (garage.bikes.length === 0 && !garage.customerId) localStorage.removeItem(garageKey)
  else localStorage.setItem(garageKey, JSON.stringify(garage))
  notify()
}

/** A garage of the shop as it is stored in the browser. */
export const toStored = ({ bikes, current }: Garage, customerId: string): StoredGarage => ({
  bikes: bikes.map(({ id, name }) => ({ id, name })),
  current,
  customerId,
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isWatching) {
    isWatching = true
    addEventListener('storage', ({ key }) => {
      if (key === garageKey || key === null) notify()
    })
    onAccessTokenChange(removeCopy)
    // The customer may have left the page while signing out.
    removeCopy()
  }
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** Removes the garage of a customer who has signed out. */
function removeCopy(): void {
  if (readAccessToken() === null && readGarage().customerId) storeGarage(empty)
}

/** The garage of this browser, synchronized across tabs. It is empty on the server. */
export const useGarage = (): StoredGarage => useSyncExternalStore(subscribe, readGarage, () => empty)

/** The current bike of this browser's garage. */
export function useCurrentBike(): StoredBike | undefined {
  const { bikes, current } = useGarage()
  return bikes.find(({ id }) => id === current)
}
