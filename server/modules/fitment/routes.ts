import type { Pool } from 'pg'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { ebayExportQuery, exportQuery } from './files/fitments/queries.ts'
import * as fitment from './service.ts'

export function registerFitment(calls: Calls, pool: Pool): void {
  calls.cached('getFit', ({ query, db }) => fitment.requireFit(db, query.product, query.bike))

  calls.cached('listFits', ({ query, db }) => fitment.listFits(db, query.product, query.bike))

  calls.cached('listFitments', ({ params, query, db }) => fitment.requireFitments(db, params.id, query))

  calls.handle('saveFitments', async ({ params, body, caller, db }) => {
    await fitment.saveFitments(db, params.id, body, caller)
    return fitment.requireFitments(db, params.id, {})
  })

  calls.handle('listFitKinds', async ({ db }) => ({ kinds: await fitment.countFitKinds(db) }))

  calls.handle('setFitKind', ({ body, caller, background }) => fitment.setFitKind(background, body, caller))

  calls.handle('exportFitments', async ({ query: { format, bom, decimals }, reply }) =>
    sendCsv(reply, {
      pool,
      ...(format === 'ebay'
        ? { name: 'fitments-ebay', query: ebayExportQuery }
        : { name: 'fitments', query: exportQuery(decimals) }),
      bom,
      decimals,
    }),
  )
}
