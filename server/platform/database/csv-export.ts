import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { escapeLiteral, type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from '../../../db/schema.ts'

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** SQL of a text in an export, with an apostrophe before a possible formula. */
export const guardFormulas = (text: string): string =>
  `regexp_replace(${text}, '${riskyInPostgres}', '''\\1')`

/** Postgres pattern of a code that Excel would change: it drops zeros and digits, and reads `1-2` as a date. */
const changedByExcel = '^([0-9][0-9 .:/-]*(?:[eE][0-9]+)?)$'

/**
 * SQL of a code in an export, such as a part number or a size, with an apostrophe before a possible formula.
 *
 * @param isComma for Excel: digits become a formula of one text, `="00123"`, which the reader of files reads as this text
 */
export const guardCode = (code: string, isComma: boolean): string =>
  isComma ? `regexp_replace(${guardFormulas(code)}, '${changedByExcel}', '="\\1"')` : guardFormulas(code)

/** Postgres pattern of the place before a possible formula, but not before a text as `="0815"`. */
const beforeRawFormula = '^(?!="([^"]|"")*"$)(?=[=+\\-@\\t\\r＝＋－＠])'

/**
 * SQL of a cell as a file had it, with an apostrophe before a possible formula. A cell that begins with an apostrophe
 * stays, because the reader of files removes only one.
 */
export const guardRawFormulas = (cell: string): string =>
  `regexp_replace(${cell}, '${beforeRawFormula}', '''')`

/** Slower downloads are aborted: an open snapshot prevents vacuum from removing old rows. */
const exportTimeout = '10min'

export type Decimals = 'point' | 'comma'

/** SQL of a number in a file for Excel in many languages. */
export const withComma = (number: string): string => `replace((${number})::text, '.', ',')`

/** SQL of a time in ISO 8601, in UTC. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** SQL of an amount in dollars with two decimals. */
export const toDollarsSql = (cents: string): string => `(${cents} / 100.0)::numeric(14, 2)`

/** The columns of a file, with their SQL. */
interface FileColumns<Name extends string> {
  values: Record<Name, string>
  /** Texts that may be digits only, or digits with an `e`. */
  codes: readonly Name[]
  amounts: readonly Name[]
}

/** Returns the select list of a file. With decimal commas, Excel changes neither codes nor amounts. */
export function selectColumns<Name extends string>(
  names: readonly Name[],
  { values, codes, amounts }: FileColumns<Name>,
  decimals: Decimals = 'point',
): RawBuilder<unknown> {
  const isComma = decimals === 'comma'
  const toExported = (name: Name): string => {
    if (codes.includes(name)) return guardCode(values[name], isComma)
    return isComma && amounts.includes(name) ? withComma(values[name]) : values[name]
  }
  return sql.raw(names.map((name) => `${toExported(name)} as "${name}"`).join(', '))
}

/** Returns a query with quoted literals, because a `copy` statement takes no parameters. */
export function inlineParameters(db: Kysely<Database>, query: RawBuilder<unknown>): string {
  const { sql: text, parameters } = query.compile(db)
  return text.replaceAll(/\$(\d+)/g, (_, number: string) =>
    escapeLiteral(String(parameters[Number(number) - 1])),
  )
}

/** The separator of the cells in a file with decimal points or commas. */
const separators: Record<Decimals, string> = { point: ',', comma: ';' }

/** The start of a file by which spreadsheet programs detect UTF-8. */
export const byteOrderMark = '\uFEFF'

export interface CsvRows {
  /** The rows, without parameters. */
  query: string
  /** The names of the columns. By default Postgres writes the names in the query, cut after 63 bytes. */
  header?: string[]
}

interface CsvFile extends CsvRows {
  pool: Pool
  name: string
  /** `comma`: the cells are separated by semicolons, and the file has a byte order mark. */
  decimals?: Decimals | undefined
  /** With a byte order mark. */
  bom?: 'true' | undefined
}

/** Returns the rows of a query as a CSV file for the response. */
export function sendCsv(
  reply: FastifyReply,
  { decimals = 'point', bom, header, ...file }: CsvFile,
): Readable {
  const separator = separators[decimals]
  const mark = bom === 'true' || decimals === 'comma' ? byteOrderMark : ''
  const start = header ? `${mark}${header.map(toCell).join(separator)}\n` : mark
  return sendCopy(reply, {
    ...file,
    statement: copyCsv(file.query, { separator, hasHeader: !header }),
    start,
  })
}

const toCell = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Returns a statement that writes the rows of a query. */
export const copyCsv = (
  query: string,
  { separator, hasHeader }: { separator: string; hasHeader: boolean },
): string =>
  `copy (${query}) to stdout with (format csv, header ${hasHeader}, delimiter E'${separator === '\t' ? '\\t' : separator}')`

/** Returns the rows of a `copy` statement as a CSV file for the response. */
export function sendCopy(
  reply: FastifyReply,
  { pool, name, statement, start }: { pool: Pool; name: string; statement: string; start: string },
): Readable {
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  })
  return Readable.from(exportCsv(pool, statement, start), { objectMode: false })
}

/**
 * Streams the rows of a `copy` statement as CSV, from one snapshot of the database. The client's speed limits the stream,
 * so memory use does not depend on the number of rows.
 *
 * @param start the text before the rows
 */
export async function* exportCsv(pool: Pool, statement: string, start: string): AsyncGenerator<Buffer> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query(`begin read only; set local statement_timeout = '${exportTimeout}'`)
    if (start !== '') yield Buffer.from(start)
    yield* client.query(copyTo(statement)) as AsyncIterable<Buffer>
    await client.query('commit')
    isWhole = true
  } finally {
    // Destroy the connection if the copy is incomplete, because it cannot be reused.
    client.release(!isWhole)
  }
}
