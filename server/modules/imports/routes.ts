import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ImportSummary, ProductImport } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
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
  calls.handle('exportProducts', async ({ query, reply }) => sendCsv(reply, 'products', query))

  calls.handle('exportFitments', async ({ query, reply }) =>
    sendCsv(reply, query.format === 'ebay' ? 'fitments-ebay' : 'fitments', query),
  )

  calls.handle('exportBikes', async ({ query, reply }) => sendCsv(reply, 'bikes', query))

  calls.handle('exportPartNumbers', async ({ query, reply }) => sendCsv(reply, 'part-numbers', query))

  function sendCsv(reply: FastifyReply, name: keyof ExportTexts, { bom }: { bom?: 'true' | undefined }) {
    reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    })
    return Readable.from(exportCsv(pool, exportTexts[name], bom === 'true'), { objectMode: false })
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

/** Slower downloads are aborted: an open snapshot prevents vacuum from removing old rows. */
const exportTimeout = '10min'

/**
 * Streams the rows of a `copy` statement as CSV, from one snapshot of the database. The client's speed limits the stream,
 * so memory use does not depend on the number of rows.
 *
 * @param forSpreadsheets starts with a byte order mark, by which spreadsheet programs detect UTF-8
 */
export async function* exportCsv(
  pool: Pool,
  statement: string,
  forSpreadsheets: boolean,
): AsyncGenerator<Buffer> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin read only; set local statement_timeout = '${exportTimeout}'`)
    if (forSpreadsheets) yield Buffer.from('\uFEFF')
    yield* client.query(copyTo(statement)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // Destroy the connection if the copy is incomplete, because it cannot be reused.
    client.release(!isWhole)
  }
}
