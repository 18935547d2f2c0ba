import type { Kysely, Transaction } from 'kysely'
import type { NewAddress, SavedAddress } from '../../../contract/addresses.ts'
import { maxAddresses } from '../../../contract/limits.ts'
import type { Database } from '../../../db/schema.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { lockCustomer } from '../customers/service.ts'
import { presentAddress } from './present.ts'
import * as repository from './repository.ts'

export { deleteAddresses } from './repository.ts'

/** Lists the addresses of a customer, oldest first. */
export const listAddresses = async (db: Kysely<Database>, customerId: string): Promise<SavedAddress[]> =>
  (await repository.listAddresses(db, customerId)).map(presentAddress)

/**
 * Saves an address. If the customer has saved the same one, only its label and default change, so that a repeated
 * request adds nothing. Returns the customer's addresses.
 *
 * @throws TOO_MANY_ADDRESSES
 */
export function addAddress(
  db: Kysely<Database>,
  customerId: string,
  address: NewAddress,
): Promise<SavedAddress[]> {
  return changeAddresses(db, customerId, async (tx, saved) => {
    const same = saved.find((each) => isSame(each, address))
    if (same) return replace(tx, same, { ...address, label: address.label || same.label })
    if (saved.length >= maxAddresses) throw new ShopError('TOO_MANY_ADDRESSES')
    const isDefault = address.isDefault === true || saved.length === 0
    if (isDefault) await repository.clearDefault(tx, customerId)
    const row = { id: newId(), customer_id: customerId, ...toRow(address), is_default: isDefault }
    await repository.insertAddress(tx, row)
  })
}

/**
 * Replaces an address. The default stays the default until another one replaces it. Returns the customer's addresses.
 *
 * @throws ADDRESS_NOT_FOUND
 */
export function updateAddress(
  db: Kysely<Database>,
  customerId: string,
  id: string,
  address: NewAddress,
): Promise<SavedAddress[]> {
  return changeAddresses(db, customerId, (tx, saved) => replace(tx, requireAddress(saved, id), address))
}

/**
 * Deletes an address. The oldest one replaces a deleted default. Returns the customer's addresses.
 *
 * @throws ADDRESS_NOT_FOUND
 */
export function deleteAddress(db: Kysely<Database>, customerId: string, id: string): Promise<SavedAddress[]> {
  return changeAddresses(db, customerId, async (tx, saved) => {
    const { is_default } = requireAddress(saved, id)
    await repository.deleteAddress(tx, id)
    const next = saved.find((each) => each.id !== id)
    if (is_default && next) await repository.updateAddress(tx, next.id, { is_default })
  })
}

/** Runs a change while no other request changes the addresses of the customer. Returns them after the change. */
function changeAddresses(
  db: Kysely<Database>,
  customerId: string,
  change: (tx: Transaction<Database>, saved: repository.AddressRow[]) => Promise<void>,
): Promise<SavedAddress[]> {
  return inTransaction(db, async (tx) => {
    await lockCustomer(tx, customerId)
    await change(tx, await repository.listAddresses(tx, customerId))
    return listAddresses(tx, customerId)
  })
}

function requireAddress(saved: repository.AddressRow[], id: string): repository.AddressRow {
  const found = saved.find((each) => each.id === id)
  if (!found) throw new ShopError('ADDRESS_NOT_FOUND')
  return found
}

async function replace(tx: Transaction<Database>, old: repository.AddressRow, address: NewAddress) {
  const isDefault = old.is_default || address.isDefault === true
  if (isDefault && !old.is_default) await repository.clearDefault(tx, old.customer_id)
  await repository.updateAddress(tx, old.id, { ...toRow(address), is_default: isDefault })
}

/** Converts an address to its columns. A missing part is an empty text. */
const toRow = ({
  label = '',
  phone = '',
  line2 = '',
  region = '',
  postalCode = '',
  ...rest
}: NewAddress) => ({
  label,
  name: rest.name,
  phone,
  line1: rest.line1,
  line2,
  city: rest.city,
  region,
  postal_code: postalCode,
  country: rest.country,
})

/** Returns whether a saved address has the same parts; the label does not count. */
function isSame(saved: repository.AddressRow, address: NewAddress): boolean {
  const { label: _, ...parts } = toRow(address)
  return Object.entries(parts).every(([column, value]) => saved[column as keyof typeof parts] === value)
}
