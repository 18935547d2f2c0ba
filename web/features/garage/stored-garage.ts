import type { Garage } from '../../../contract/garage.ts'
import { maxGarageBikes } from '../../../contract/limits.ts'
import { browserStore } from '../../browser-store.ts'

export interface StoredBike {
  id: number
  /** For example `2009 Yamaha YZF-R6`. */
  name: string
}

export interface StoredGarage {
  bikes: StoredBike[]
  /** The id of the current bike. */
  current: number | null
  /** The customer whose garage at the shop this is a copy of; absent for a guest's garage. */
  customerId?: string
}

const empty: StoredGarage = { bikes: [], current: null }

const store = browserStore({
  keys: ['garage'],
  parse: (text = null) => parseGarage(text),
  listCopies: ({ customerId }) => (customerId === undefined ? [] : ['garage']),
})

/** Returns the garage of this browser. */
export const readGarage = store.read

/** The garage of this browser, in all tabs. It is empty on the server. */
export const useGarage = store.useValue

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

/** Stores a guest's garage, or a copy of a customer's. Throws if the browser cannot store it. */
export function storeGarage(garage: StoredGarage): void {
  const isEmpty = garage.bikes.length === 0 && !garage.customerId
  store.write('garage', isEmpty ? null : JSON.stringify(garage))
}

/** A garage of the shop as it is stored in the browser. */
export const toStored = ({ bikes, current }: Garage, customerId: string): StoredGarage => ({
  bikes: bikes.map(({ id, name }) => ({ id, name })),
  current,
  customerId,
})

/** The current bike of this browser's garage. */
export function useCurrentBike(): StoredBike | undefined {
  const { bikes, current } = useGarage()
  return bikes.find(({ id }) => id === current)
}
