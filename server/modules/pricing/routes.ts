import type { Calls } from '../../http/calls.ts'
import * as pricing from './service.ts'

export function registerPricing(calls: Calls): void {
  calls.handle('listShippingRates', ({ db }) => pricing.listShippingRates(db))
  calls.handle('saveShippingRate', ({ params, body, caller, db }) =>
    pricing.saveShippingRate(db, params.id, body, caller),
  )
  calls.handle('deleteShippingRate', async ({ params, caller, db }) => {
    await pricing.deleteShippingRate(db, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })
}
