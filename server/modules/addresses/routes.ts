import type { SavedAddress } from '../../../contract/addresses.ts'
import type { Calls } from '../../http/calls.ts'
import type { AddressRow } from './repository.ts'
import * as addresses from './service.ts'

export function registerAddresses(calls: Calls): void {
  calls.handle('listAddresses', async ({ caller, db }) => {
    const saved = await addresses.listAddresses(db, caller.customerId)
    return saved.map(presentAddress)
  })

  calls.handle('addAddress', async ({ body, caller, db }) => {
    const saved = await addresses.addAddress(db, caller.customerId, body)
    return saved.map(presentAddress)
  })

  calls.handle('updateAddress', async ({ params, body, caller, db }) => {
    const saved = await addresses.updateAddress(db, caller.customerId, params.id, body)
    return saved.map(presentAddress)
  })

  calls.handle('deleteAddress', async ({ params, caller, db }) => {
    const saved = await addresses.deleteAddress(db, caller.customerId, params.id)
    return saved.map(presentAddress)
  })
}

/** Converts an address to the wire format. Blank parts are left out. */
function presentAddress(row: AddressRow): SavedAddress {
  return {
    id: row.id,
    label: row.label || undefined,
    name: row.name,
    phone: row.phone || undefined,
    line1: row.line1,
    line2: row.line2 || undefined,
    city: row.city,
    region: row.region || undefined,
    postalCode: row.postal_code || undefined,
    country: row.country,
    isDefault: row.is_default,
  }
}
