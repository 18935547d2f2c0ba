import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { createZstdCompress } from 'node:zlib'
import type { ClientBase, Pool } from 'pg'
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams'
import { hasCode, StartupError, toReason } from '../errors.ts'
import { createFrames, type Header, mark, VERSION } from './frames.ts'
import { beginUnlimited, listTables, onConnection, type Scope, type Table } from './tables.ts'

const UNDEFINED_TABLE = '42P01'

interface WriteOptions {
  scope: Scope
  onProgress: (message: string) => void
  signal?: AbortSignal
}

/**
 * Writes a backup to a new file that only its owner can read. It is renamed when it is complete and flushed. All tables
 * are read in one snapshot; reads and writes are not blocked, but schema changes wait.
 *
 * @returns the number of rows and of compressed bytes
 * @throws StartupError if the file cannot be written
 */
export async function writeBackup(
  pool: Pool,
  file: string,
  { scope, onProgress, signal }: WriteOptions,
): Promise<{ rows: number; bytes: number }> {
  if (existsSync(file)) throw new StartupError(`${file} already exists. Choose another file name.`)
  const draft = `${file}.${process.pid}.partial`
  const copies: CopyToStreamQuery[] = []

  async function* content(client: ClientBase): AsyncGenerator<Buffer> {
    const tables = await openSnapshot(client, scope)
    const toFrame = createFrames()
    yield mark
    yield* toFrame(Buffer.from(JSON.stringify(await readHeader(client, scope, tables))))
    for (const { name, columns } of tables) {
      onProgress(`Reading ${name}.`)
      const copy = client.query(copyTo(`copy ${name} (${columns}) to stdout`))
      copies.push(copy)
      for await (const rows of copy as AsyncIterable<Buffer>) yield* toFrame(rows)
      yield* toFrame(Buffer.alloc(0))
    }
    // The row count of a copy is known when the next statement ends.
    await client.query('commit')
  }

  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await onConnection(pool, signal, (client) => {
      const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
      return pipeline(content(client), createZstdCompress(), output)
    })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw toStartupError(error, file)
  }
  return { rows: copies.reduce((sum, { rowCount }) => sum + rowCount, 0), bytes: (await stat(file)).size }
}

/**
 * Locks the tables against schema changes before it takes the snapshot. An older snapshot could miss tables that a
 * restore has just recreated.
 */
async function openSnapshot(client: ClientBase, scope: Scope): Promise<Table[]> {
  const expected = await listTables(client, scope)
  if (expected.length === 0) {
    throw new StartupError('The database has no shop tables. Check DATABASE_URL, or start the shop once.')
  }
  await beginUnlimited(client, 'isolation level repeatable read read only')
  // `lock table` takes no snapshot.
  const names = expected.map(({ name }) => name).join(', ')
  const isLocked = await client.query(`lock table ${names} in access share mode`).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, UNDEFINED_TABLE)) return false
      throw error
    },
  )
  if (isLocked && isDeepStrictEqual(await listTables(client, scope), expected)) return expected
  throw new StartupError('The tables were changed by a migration or a restore. Run npm run backup again.')
}

async function readHeader(client: ClientBase, { schemas }: Scope, tables: Table[]): Promise<Header> {
  const migrations = await client.query('select name, checksum from public.migrations order by name')
  const sequences = await client.query(
    `select coalesce(jsonb_object_agg(format('%I.%I', schemaname, sequencename), last_value::text), '{}') as used
     from pg_sequences where schemaname = any($1) and last_value is not null`,
    [schemas],
  )
  return {
    version: VERSION,
    takenAt: new Date().toISOString(),
    migrations: migrations.rows,
    tables,
    sequences: sequences.rows[0].used,
  }
}

/** Converts errors of the operating system. Errors of the database are returned unchanged. */
function toStartupError(error: unknown, file: string): unknown {
  const reason = toReason(error)
  if (!/^E[A-Z]{3,}$/.test(reason) || reason.startsWith('ECONN')) return error
  return new StartupError(
    `The backup can't be written to ${file} (${reason}). Free disk space or choose another path.`,
    { cause: error },
  )
}
