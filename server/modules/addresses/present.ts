import type { SavedAddress } from '../../../contract/addresses.ts'
import type { AddressRow } from './repository.ts'

/** Converts an address to the wire format. Blank parts are left out. */
export function presentAddress(row: AddressRow): SavedAddress {
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
