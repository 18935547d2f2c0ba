import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import type { Calls } from '../../http/calls.ts'
import { exportProducts } from './export.ts'
import { presentImport } from './present.ts'
import * as imports from './service.ts'

export function registerImports(calls: Calls, deps: imports.ImportDeps, pool: Pool): void {
  calls.handle('exportProducts', async ({ query, reply }) => {
    reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="products.csv"',
    })
    return Readable.from(exportProducts(pool, query.bom === 'true'), { objectMode: false })
  })

  calls.handle('checkImport', async ({ query, request, caller }) => ({
    id: await imports.checkFile(deps, query.fileName, request.body as AsyncIterable<Buffer>, caller),
  }))

  calls.handle('getImport', async ({ params }) => presentImport(await imports.requireImport(deps, params.id)))

  calls.handle('runImport', async ({ params, caller }) => {
    await imports.runImport(deps, params.id, caller)
    return presentImport(await imports.requireImport(deps, params.id))
  })
}
