import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { exportText } from './queries.ts'

const byteOrderMark = '\uFEFF'
/** Who downloads more slowly is hung up on: the database keeps what was changed since the export began. */
const longest = '10min'

/**
 * The products of the shop as CSV, as they are at one moment, whatever is changed in the meantime. Postgres writes it as fast
 * as it is taken, so that a million products need no more memory than ten.
 *
 * @param forSpreadsheets begins with the mark by which spreadsheet programs know UTF-8
 */
export async function* exportProducts(pool: Pool, forSpreadsheets: boolean): AsyncGenerator<Buffer> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin read only; set local statement_timeout = '${longest}'`)
    if (forSpreadsheets) yield Buffer.from(byteOrderMark)
    yield* client.query(copyTo(exportText)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // In the middle of a copy the connection is of no more use to anyone.
    client.release(!isWhole)
  }
}
