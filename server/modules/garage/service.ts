import type { Kysely, Transaction } from 'kysely'
import {
  type Garage,
  type GarageBike,
  type GuestGarage,
  type MergedGarage,
  maxGarageBikes,
} from '../../../contract/garage.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction, isForeignKeyViolation } from '../../platform/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { findBikes, requireBike } from '../bikes/service.ts'
import * as repository from './repository.ts'

/** Returns the bikes of a customer, in the order in which they were added. */
export async function getGarage(db: Kysely<Database>, customerId: string): Promise<Garage> {
  const rows = await repository.listBikes(db, customerId)
  const bikes = await findBikes(
    db,
    rows.map(({ bike_id }) => bike_id),
  )
  return { bikes, current: rows.find(({ is_current }) => is_current)?.bike_id ?? null }
}

/**
 * Adds a bike that is not in the garage, and makes it the current one or no longer the current one. Returns the garage.
 *
 * @throws BIKE_NOT_FOUND, GARAGE_FULL
 */
export function setBike(
  db: Kysely<Database>,
  customerId: string,
  bikeId: number,
  { current }: GarageBike,
): Promise<Garage> {
  return changeGarage(db, customerId, async (tx, owned) => {
    if (!owned.includes(bikeId)) {
      await requireBike(tx, bikeId)
      if (owned.length >= maxGarageBikes) throw new ShopError('GARAGE_FULL')
      await repository.addBikes(tx, customerId, [bikeId])
    }
    if (current === true) await repository.setCurrent(tx, customerId, bikeId)
    if (current === false) await repository.clearCurrent(tx, customerId, bikeId)
  }).catch((error: unknown) => {
    throw isBikeRemoved(error) ? new ShopError('BIKE_NOT_FOUND', { cause: error }) : error
  })
}

/** Removes a bike from the garage, also if it is not in it. Returns the garage. */
export const removeBike = (db: Kysely<Database>, customerId: string, bikeId: number): Promise<Garage> =>
  changeGarage(db, customerId, (tx) => repository.removeBike(tx, customerId, bikeId))

/**
 * Adds the bikes of a browser, its current one first, until the garage is full. That bike becomes the current one if the
 * garage has it. Unknown bikes are skipped. A repeated merge changes nothing. Returns the garage and the bikes that are
 * not in it.
 */
export async function mergeGarage(
  db: Kysely<Database>,
  customerId: string,
  guest: GuestGarage,
): Promise<MergedGarage> {
  const { bikes, current } = guest
  const first = bikes.filter((id) => id === current)
  const known = await findBikes(db, [...new Set([...first, ...bikes])])
  const garage = await changeGarage(db, customerId, async (tx, owned) => {
    const ids = known.map(({ id }) => id)
    const added = ids.filter((id) => !owned.includes(id)).slice(0, maxGarageBikes - owned.length)
    await repository.addBikes(tx, customerId, added)
    const next = first.find((id) => owned.includes(id) || added.includes(id))
    if (next !== undefined) await repository.setCurrent(tx, customerId, next)
  }).catch((error: unknown) => {
    if (!isBikeRemoved(error)) throw error
    return null
  })
  // Each repetition finds fewer bikes.
  if (!garage) return mergeGarage(db, customerId, guest)
  return { ...garage, notAdded: known.filter(({ id }) => !garage.bikes.some((bike) => bike.id === id)) }
}

/** Whether an administrator removed a bike after it was read. */
const isBikeRemoved = (error: unknown): boolean => isForeignKeyViolation(error, 'garage_bikes_bike_id_fkey')

/** Locks a garage, so that its limit is exact, and changes it. `owned`: the ids of its bikes. Returns the garage. */
function changeGarage(
  db: Kysely<Database>,
  customerId: string,
  change: (tx: Transaction<Database>, owned: number[]) => Promise<unknown>,
): Promise<Garage> {
  return inTransaction(db, async (tx) => {
    const rows = await repository.lockGarage(tx, customerId)
    await change(
      tx,
      rows.map(({ bike_id }) => bike_id),
    )
    return getGarage(tx, customerId)
  })
}
