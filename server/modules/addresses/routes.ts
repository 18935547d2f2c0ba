import type { Calls } from '../../http/calls.ts'
import { presentAddress } from './present.ts'
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
