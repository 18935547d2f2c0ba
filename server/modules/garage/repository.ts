import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'

/** Returns the bikes of a customer, in the order in which they were added. */
export function listBikes(db: Kysely<Database>, customerId: string) {
  return db
    .selectFrom('garage_bikes')
    .select(['bike_id', 'is_current'])
    .where('customer_id', '=', customerId)
    .orderBy('added_at')
    .orderBy('bike_id')
    .execute()
}

/** Adds bikes to a locked garage, in this order. */
export async function addBikes(tx: Kysely<Database>, customerId: string, bikeIds: number[]): Promise<void> {
  await sql`
    insert into garage_bikes (customer_id, bike_id, added_at)
    select ${customerId}, bike_id, now() + place * interval '1 microsecond'
    from unnest(${bikeIds}::integer[]) with ordinality as added (bike_id, place)`.execute(tx)
}

/** Makes a bike of a locked garage the current one. */
export async function setCurrent(tx: Kysely<Database>, customerId: string, bikeId: number): Promise<void> {
  // In two statements, because the unique index allows only one at any time.
  await sql`
    update garage_bikes set is_current = false
    where customer_id = ${customerId} and is_current and bike_id <> ${bikeId}`.execute(tx)
  await sql`
    update garage_bikes set is_current = true
    where customer_id = ${customerId} and bike_id = ${bikeId} and not is_current`.execute(tx)
}

/** Leaves a locked garage without a current bike, if it is this one. */
export async function clearCurrent(tx: Kysely<Database>, customerId: string, bikeId: number): Promise<void> {
  await sql`
    update garage_bikes set is_current = false
    where customer_id = ${customerId} and bike_id = ${bikeId} and is_current`.execute(tx)
}

/** Removes all bikes of a locked customer. */
export async function removeBikes(tx: Kysely<Database>, customerId: string): Promise<void> {
  await sql`delete from garage_bikes where customer_id = ${customerId}`.execute(tx)
}

export async function removeBike(tx: Kysely<Database>, customerId: string, bikeId: number): Promise<void> {
  await sql`delete from garage_bikes where customer_id = ${customerId} and bike_id = ${bikeId}`.execute(tx)
}
