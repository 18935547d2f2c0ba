import type { Calls } from '../../http/calls.ts'
import * as addresses from './service.ts'

export function registerAddresses(calls: Calls): void {
  calls.handle('listAddresses', ({ caller, db }) => addresses.listAddresses(db, caller.customerId))

  calls.handle('addAddress', ({ body, caller, db }) => addresses.addAddress(db, caller.customerId, body))

  calls.handle('updateAddress', ({ params, body, caller, db }) =>
    addresses.updateAddress(db, caller.customerId, params.id, body),
  )

  calls.handle('deleteAddress', ({ params, caller, db }) =>
    addresses.deleteAddress(db, caller.customerId, params.id),
  )
}
