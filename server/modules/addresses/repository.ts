import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { AddressesTable, Database } from '../../../db/schema.ts'

export type AddressRow = Selectable<AddressesTable>

const addressColumns = [
  'id',
  'customer_id',
  'label',
  'name',
  'phone',
  'line1',
  'line2',
  'city',
  'region',
  'postal_code',
  'country',
  'is_default',
  'created_at',
] as const satisfies (keyof AddressesTable)[]

/** Returns the addresses of a customer, oldest first. */
export function listAddresses(db: Kysely<Database>, customerId: string): Promise<AddressRow[]> {
  return db
    .selectFrom('addresses')
    .select(addressColumns)
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertAddress(
  db: Kysely<Database>,
  address: Insertable<AddressesTable>,
): Promise<void> {
  await db.insertInto('addresses').values(address).execute()
}

export async function updateAddress(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<AddressesTable>,
): Promise<void> {
  await db.updateTable('addresses').set(changes).where('id', '=', id).execute()
}

/** Clears the default of a customer. The next one is set afterwards, because the unique index allows only one. */
export async function clearDefault(db: Kysely<Database>, customerId: string): Promise<void> {
  await db
    .updateTable('addresses')
    .set({ is_default: false })
    .where('customer_id', '=', customerId)
    .where('is_default', '=', true)
    .execute()
}

/** Deletes all addresses of a locked customer. */
export async function deleteAddresses(tx: Kysely<Database>, customerId: string): Promise<void> {
  await tx.deleteFrom('addresses').where('customer_id', '=', customerId).execute()
}

export async function deleteAddress(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('addresses').where('id', '=', id).execute()
}
