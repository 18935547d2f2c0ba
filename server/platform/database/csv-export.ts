import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of a text in an export, with an apostrophe before a possible formula. */
export const guardFormulas = (text: string): string =>
  `regexp_replace(${text}, '${riskyInPostgres}', '''\\1')`

/** Slower downloads are aborted: an open snapshot prevents vacuum from removing old rows. */
const exportTimeout = '10min'

export type Decimals = 'point' | 'comma'

/** SQL of a number in a file for Excel in many languages. */
export const withComma = (number: string): string => `replace((${number})::text, '.', ',')`

/** The separator of the cells in a file with decimal points or commas. */
const separators: Record<Decimals, string> = { point: ',', comma: ';' }

interface CsvFile {
  pool: Pool
  name: string
  /** The rows, without parameters. */
  query: string
  /** `comma`: the cells are separated by semicolons, and the file has a byte order mark. */
  decimals?: Decimals | undefined
  /** With a byte order mark, by which spreadsheet programs detect UTF-8. */
  bom?: 'true' | undefined
}

/** Returns the rows of a query as a CSV file for the response. */
export function sendCsv(reply: FastifyReply, { decimals = 'point', bom, ...file }: CsvFile): Readable {
  const hasMark = bom === 'true' || decimals === 'comma'
  const statement = copyCsv(file.query, { separator: separators[decimals], hasHeader: true })
  return sendCopy(reply, { ...file, statement, hasMark })
}

/** Returns a statement that writes the rows of a query. */
export const copyCsv = (
  query: string,
  { separator, hasHeader }: { separator: string; hasHeader: boolean },
): string =>
  `copy (${query}) to stdout with (format csv, header ${hasHeader}, delimiter E'${separator === '\t' ? '\\t' : separator}')`

/** Returns the rows of a `copy` statement as a CSV file for the response. */
export function sendCopy(
  reply: FastifyReply,
  { pool, name, statement, hasMark }: { pool: Pool; name: string; statement: string; hasMark: boolean },
): Readable {
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  })
  return Readable.from(exportCsv(pool, statement, hasMark), { objectMode: false })
}

/**
 * Streams the rows of a `copy` statement as CSV, from one snapshot of the database. The client's speed limits the stream,
 * so memory use does not depend on the number of rows.
 *
 * @param hasMark starts with a byte order mark, by which spreadsheet programs detect UTF-8
 */
export async function* exportCsv(pool: Pool, statement: string, hasMark: boolean): AsyncGenerator<Buffer> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin read only; set local statement_timeout = '${exportTimeout}'`)
    if (hasMark) yield Buffer.from('\uFEFF')
    yield* client.query(copyTo(statement)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // Destroy the connection if the copy is incomplete, because it cannot be reused.
    client.release(!isWhole)
  }
}
