import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { exportText } from './queries.ts'

const byteOrderMark = '\uFEFF'
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
    if (forSpreadsheets) yield Buffer.from(byteOrderMark)
    yield* client.query(copyTo(exportText)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // Destroy the connection if the copy is incomplete, because it cannot be reused.
    client.release(!isWhole)
  }
}
