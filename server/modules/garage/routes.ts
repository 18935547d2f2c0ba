import type { Calls } from '../../http/calls.ts'
import * as garage from './service.ts'

export function registerGarage(calls: Calls): void {
  calls.handle('getGarage', ({ caller, db }) => garage.getGarage(db, caller.customerId))

  calls.handle('setGarageBike', ({ params, body, caller, db }) =>
    garage.setBike(db, caller.customerId, params.bikeId, body),
  )

  calls.handle('removeGarageBike', ({ params, caller, db }) =>
    garage.removeBike(db, caller.customerId, params.bikeId),
  )

  calls.handle('mergeGarage', ({ body, caller, db }) => garage.mergeGarage(db, caller.customerId, body))
}
