import type { Kysely, Transaction } from 'kysely'
import type { Garage, GarageBike, GuestGarage, MergedGarage } from '../../../contract/garage.ts'
import { maxGarageBikes } from '../../../contract/limits.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { findBikes, lockBikes } from '../bikes/service.ts'
import { lockCustomer } from '../customers/service.ts'
import * as repository from './repository.ts'

export { removeBikes } from './repository.ts'

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
 * Adds a bike that is not in the garage, in the place of the one that it replaces, and makes it the current one. Or makes
 * it no longer the current one, which adds nothing: another device may have removed the bike. Returns the garage.
 *
 * @throws BIKE_NOT_FOUND, GARAGE_FULL
 */
export function setBike(
  db: Kysely<Database>,
  customerId: string,
  bikeId: number,
  { current, replaces }: GarageBike,
): Promise<Garage> {
  return changeGarage(db, customerId, async (tx, owned) => {
    if (current === false) return repository.clearCurrent(tx, customerId, bikeId)
    if (!owned.includes(bikeId)) {
      if (!(await lockBikes(tx, [bikeId])).has(bikeId)) throw new ShopError('BIKE_NOT_FOUND')
      const replaced = owned.filter((id) => id === replaces)
      if (owned.length - replaced.length >= maxGarageBikes) throw new ShopError('GARAGE_FULL')
      for (const id of replaced) await repository.removeBike(tx, customerId, id)
      await repository.addBikes(tx, customerId, [bikeId])
    }
    if (current === true) await repository.setCurrent(tx, customerId, bikeId)
  })
}

/** Removes a bike from the garage, if the garage has it. Returns the garage. */
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
  { bikes, current }: GuestGarage,
): Promise<MergedGarage> {
  const first = bikes.filter((id) => id === current)
  const ids = [...new Set([...first, ...bikes])]
  const garage = await changeGarage(db, customerId, async (tx, owned) => {
    const known = await lockBikes(tx, ids)
    const added = ids
      .filter((id) => known.has(id) && !owned.includes(id))
      .slice(0, maxGarageBikes - owned.length)
    await repository.addBikes(tx, customerId, added)
    const next = first.find((id) => owned.includes(id) || added.includes(id))
    if (next !== undefined) await repository.setCurrent(tx, customerId, next)
  })
  const left = ids.filter((id) => !garage.bikes.some((bike) => bike.id === id))
  return { ...garage, notAdded: left.length > 0 ? await findBikes(db, left) : [] }
}

/** Locks a garage, so that its limit is exact, and changes it. `owned`: the ids of its bikes. Returns the garage. */
function changeGarage(
  db: Kysely<Database>,
  customerId: string,
  change: (tx: Transaction<Database>, owned: number[]) => Promise<unknown>,
): Promise<Garage> {
  return inTransaction(db, async (tx) => {
    await lockCustomer(tx, customerId)
    const rows = await repository.listBikes(tx, customerId)
    await change(
      tx,
      rows.map(({ bike_id }) => bike_id),
    )
    return getGarage(tx, customerId)
  })
}
