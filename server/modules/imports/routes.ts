import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { ExportQuery, ImportSummary, ProductImport } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { sendCsv } from '../../platform/database/csv-export.ts'
import { sendPage } from '../../platform/http/paging.ts'
import type { ExportTexts } from './file-kind.ts'
import * as queries from './queries.ts'
import * as imports from './service.ts'

/**
 * @param deps with connections for work that may take long
 * @param writeDb with connections for requests that write
 * @param pool of the same database
 */
export function registerImports(
  calls: Calls,
  deps: imports.ImportDeps,
  exportTexts: ExportTexts,
  writeDb: Kysely<Database>,
  pool: Pool,
): void {
  calls.handle('exportProducts', async ({ query, db, reply }) =>
    send(reply, 'products', query, await exportTexts.products(db, query)),
  )

  calls.handle('exportFitments', async ({ query, reply }) =>
    sendAll(reply, query.format === 'ebay' ? 'fitments-ebay' : 'fitments', query),
  )

  calls.handle('exportBikes', async ({ query, reply }) => sendAll(reply, 'bikes', query))

  calls.handle('exportPartNumbers', async ({ query, reply }) => sendAll(reply, 'part-numbers', query))

  const sendAll = (reply: FastifyReply, name: Exclude<keyof ExportTexts, 'products'>, query: ExportQuery) =>
    send(reply, name, query, exportTexts[name])

  function send(reply: FastifyReply, name: keyof ExportTexts, { bom }: ExportQuery, statement: string) {
    return sendCsv(reply, { pool, name, statement, hasMark: bom === 'true' })
  }

  calls.handle(
    'checkImport',
    async ({ query: { fileName, kind = 'products', mode = 'all' }, request, caller }) => {
      const bytes = request.body as AsyncIterable<Buffer>
      return { id: await imports.checkFile(deps, { fileName, kind, mode }, bytes, caller) }
    },
  )

  calls.handle('getImport', async ({ params, db }) =>
    presentImport(await imports.requireImport(writeDb, params.id, db)),
  )

  calls.handle('runImport', async ({ params, query, caller }) => {
    await imports.runImport(deps, params.id, caller, { acceptsWarnings: query.acceptWarnings === 'true' })
    return presentImport(await imports.requireImport(writeDb, params.id))
  })

  calls.handle('listImports', async ({ query, db, reply }) =>
    sendPage(reply, await queries.listImports(db, query)).map(presentSummary),
  )

  calls.handle('undoImport', async ({ params, caller }) => ({
    id: await imports.undoImport(deps, params.id, caller),
  }))
}

/** Converts an import to a row of the list. The contract drops the other columns. */
function presentSummary(found: queries.ListedImport): ImportSummary {
  return {
    ...found,
    fileName: found.file_name,
    skippedCount: found.skipped_count,
    startedAt: found.started_at.toISOString(),
    startedBy: found.started_by_email ?? undefined,
    undoOf: found.undo_of ?? undefined,
    undoneBy: found.undone_by ?? undefined,
    undoable: imports.isUndoable(found),
  }
}

/** Converts an import to the wire format. The contract drops the other columns. */
function presentImport(found: queries.ListedImport): ProductImport {
  return {
    ...found,
    ...presentSummary(found),
    errorCount: found.error_count,
    unknownCount: found.unknown_count,
    yearsWithoutBike: found.years_without_bike,
    leftOutCount: found.left_out_count,
    leftOut: found.left_out,
  }
}
