import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { StartupError } from '../startup-error.ts'
import { endOfRows, type Header, headerLine, trailerLine, VERSION } from './format.ts'
import { beginUnlimited } from './session.ts'
import { listSequences, listTables, type Scope, setSequence, type Table } from './tables.ts'

export interface DumpOptions {
  scope: Scope
  /** Called after each table with its row count. */
  onProgress: (table: string, rows: number) => void
}

const MAX_ATTEMPTS = 5

/**
 * Streams the text of a backup. All tables are read in one snapshot; reads and writes are not blocked, but schema changes
 * wait.
 *
 * @param client a dedicated connection; its transaction ends with the stream
 */
export function dumpDatabase(client: ClientBase, options: DumpOptions): Readable {
  return Readable.from(parts(client, options), { objectMode: false })
}

async function* parts(client: ClientBase, { scope, onProgress }: DumpOptions): AsyncGenerator<Buffer> {
  const tables = await openSnapshot(client, scope)
  const hash = createHash('sha256')
  const hashed = (part: Buffer | string): Buffer => {
    const bytes = Buffer.from(part)
    hash.update(bytes)
    return bytes
  }
  const rows: Record<string, number> = {}
  yield hashed(headerLine(await describe(client)))
  for (const table of tables) {
    rows[table.name] = 0
    yield hashed(`${table.copy} from stdin;\n`)
    for await (const chunk of client.query(copyTo(`${table.copy} to stdout`)) as AsyncIterable<Buffer>) {
      rows[table.name] = (rows[table.name] ?? 0) + countLines(chunk)
      yield hashed(chunk)
    }
    yield hashed(endOfRows)
    onProgress(table.name, rows[table.name] ?? 0)
  }
  for (const sequence of await listSequences(client, scope)) yield hashed(`${setSequence(sequence)}\n`)
  await client.query('commit')
  yield Buffer.from(trailerLine({ rows, sha256: hash.digest('hex') }))
}

/**
 * Locks the tables against schema changes before it takes the snapshot. An older snapshot could miss tables that a
 * restore has just recreated.
 */
async function openSnapshot(client: ClientBase, scope: Scope): Promise<Table[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const expected = await listTables(client, scope)
    if (expected.length === 0) break
    await beginUnlimited(client, 'isolation level repeatable read read only')
    // `lock table` takes no snapshot.
    const isLocked = await client
      .query(`lock table ${expected.map(({ sql }) => sql).join(', ')} in access share mode`)
      .then(() => true, refuseUnlessGone)
    const tables = isLocked ? await listTables(client, scope) : []
    if (JSON.stringify(tables) === JSON.stringify(expected)) return tables
    await client.query('rollback')
  }
  throw new StartupError('The database has no shop tables. Check DATABASE_URL, or start the shop once.')
}

function refuseUnlessGone(error: Error & { code?: string }): false {
  const undefinedTable = '42P01'
  if (error.code === undefinedTable) return false
  throw error
}

async function describe(client: ClientBase): Promise<Header> {
  const migrations = await client.query('select name, checksum from public.migrations order by name')
  return { version: VERSION, takenAt: new Date().toISOString(), migrations: migrations.rows }
}

/** Counts rows: Postgres escapes line breaks in values, so each line break ends a row. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}
