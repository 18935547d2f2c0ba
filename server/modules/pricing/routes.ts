import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/http/paging.ts'
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
  calls.handle('listTaxRates', ({ db }) => pricing.listTaxRates(db))
  calls.handle('saveTaxRate', ({ params, body, caller, db }) =>
    pricing.saveTaxRate(db, params.id, body, caller),
  )
  calls.handle('deleteTaxRate', async ({ params, caller, db }) => {
    await pricing.deleteTaxRate(db, params.id, caller)
    return { acknowledged: true, deletedCount: 1 }
  })
  calls.handle('previewCharges', ({ body, db }) => pricing.previewCharges(db, body))
  calls.handle('listCoupons', async ({ query, db, reply }) =>
    sendPage(reply, await pricing.listCoupons(db, query)),
  )
  calls.handle('saveCoupon', ({ params, body, caller, db }) =>
    pricing.saveCoupon(db, params.id, body, caller),
  )
}
