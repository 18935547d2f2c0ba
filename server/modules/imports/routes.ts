import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ProductImport } from '../../../contract/imports.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { exportText } from './queries.ts'
import type * as repository from './repository.ts'
import * as imports from './service.ts'

/**
 * @param deps with connections for work that may take long
 * @param writeDb with connections for requests that write
 * @param pool of the same database
 */
export function registerImports(
  calls: Calls,
  deps: imports.ImportDeps,
  writeDb: Kysely<Database>,
  pool: Pool,
): void {
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

  calls.handle('getImport', async ({ params, db }) =>
    presentImport(await imports.requireImport(writeDb, params.id, db)),
  )

  calls.handle('runImport', async ({ params, caller }) => {
    await imports.runImport(deps, params.id, caller)
    return presentImport(await imports.requireImport(writeDb, params.id))
  })
}

/** Converts an import to the wire format. The contract drops the other columns. */
function presentImport(found: repository.ProductImport): ProductImport {
  return { ...found, fileName: found.file_name, errorCount: found.error_count }
}

/** Slower downloads are aborted: an open snapshot prevents vacuum from removing old rows. */
const exportTimeout = '10min'

/**
 * Streams all products as CSV, from one snapshot of the database. The client's speed limits the stream, so memory
 * use does not depend on the number of products.
 *
 * @param forSpreadsheets starts with a byte order mark, by which spreadsheet programs detect UTF-8
 */
export async function* exportProducts(pool: Pool, forSpreadsheets: boolean): AsyncGenerator<Buffer> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin read only; set local statement_timeout = '${exportTimeout}'`)
    if (forSpreadsheets) yield Buffer.from('\uFEFF')
    yield* client.query(copyTo(exportText)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // Destroy the connection if the copy is incomplete, because it cannot be reused.
    client.release(!isWhole)
  }
}
