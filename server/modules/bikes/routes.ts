import type { Pool } from 'pg'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { exportQuery } from './files/queries.ts'
import * as bikes from './service.ts'

export function registerBikes(calls: Calls, pool: Pool): void {
  calls.cached('listBikes', ({ query, db }) => bikes.listBikes(db, query))

  calls.cached('searchBikes', ({ query, db }) => bikes.searchBikes(db, query.q))

  // A new bike changes all products that fit it.
  calls.handle('addBikes', ({ body, caller, background }) => bikes.addModelBikes(background, body, caller))

  calls.handle('removeBikes', ({ query, caller, db }) => bikes.removeBikes(db, query, caller))

  calls.handle('saveMake', ({ params, body, caller, db }) => bikes.saveMake(db, params.make, body, caller))

  calls.handle('saveModel', ({ params, body, caller, db }) => bikes.saveModel(db, params, body, caller))

  calls.handle('exportBikes', async ({ query: { bom, decimals }, reply }) =>
    sendCsv(reply, { pool, name: 'bikes', query: exportQuery, bom, decimals }),
  )
}
