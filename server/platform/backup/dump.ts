import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { hasCode, StartupError, toReason } from '../errors.ts'
import { endOfRows, headerLine, trailerLine, VERSION } from './format.ts'
import { beginUnlimited, listSequences, listTables, type Scope, setSequence, type Table } from './tables.ts'

/**
 * Writes a backup to a new file that only its owner can read. It is renamed when it is complete and flushed.
 *
 * @param client a dedicated connection
 * @returns the number of rows and of compressed bytes
 * @throws StartupError if the file cannot be written
 */
export async function writeBackup(
  client: ClientBase,
  file: string,
  options: DumpOptions & { signal?: AbortSignal },
): Promise<{ rows: number; bytes: number }> {
  const draft = `${file}.${process.pid}.partial`
  const handle = await create(file, draft)
  let rows = 0
  const counting: DumpOptions = {
    ...options,
    onProgress(table, count) {
      rows += count
      options.onProgress(table, count)
    },
  }
  try {
    const text = dumpDatabase(client, counting)
    const compressing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    await pipeline(text, compressing, handle.createWriteStream({ flush: true }), { signal: options.signal })
    await rename(draft, file)
    return { rows, bytes: (await stat(file)).size }
  } catch (error) {
    await handle.close()
    await unlink(draft)
    throw asSentence(error, file)
  }
}

async function create(file: string, draft: string): Promise<FileHandle> {
  if (existsSync(file)) throw new StartupError(`${file} already exists. Choose another file name.`)
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    return await open(draft, 'wx', 0o600)
  } catch (error) {
    throw asSentence(error, file)
  }
}

/** Converts errors of the operating system. Errors of the database are returned unchanged. */
function asSentence(error: unknown, file: string): unknown {
  const reason = toReason(error)
  if (!/^E[A-Z]{3,}$/.test(reason) || reason.startsWith('ECONN')) return error
  return new StartupError(
    `The backup can't be written to ${file} (${reason}). Free disk space or choose another path.`,
    { cause: error },
  )
}

interface DumpOptions {
  scope: Scope
  /** Called after each table with its row count. */
  onProgress: (table: string, rows: number) => void
}

const MAX_ATTEMPTS = 5
const UNDEFINED_TABLE = '42P01'

/**
 * Streams the text of a backup. All tables are read in one snapshot; reads and writes are not blocked, but schema changes
 * wait.
 *
 * @param client a dedicated connection; its transaction ends with the stream
 */
function dumpDatabase(client: ClientBase, options: DumpOptions): Readable {
  return Readable.from(parts(client, options), { objectMode: false })
}

async function* parts(client: ClientBase, { scope, onProgress }: DumpOptions): AsyncGenerator<Buffer> {
  const tables = await openSnapshot(client, scope)
  const hash = createHash('sha256')
  const hashed = (part: Buffer | string): Buffer => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    hash.update(bytes)
    return bytes
  }
  const rows: Record<string, number> = {}
  const migrations = await client.query('select name, checksum from public.migrations order by name')
  const takenAt = new Date().toISOString()
  yield hashed(headerLine({ version: VERSION, takenAt, migrations: migrations.rows }))
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
      .then(
        () => true,
        (error: unknown) => {
          if (hasCode(error, UNDEFINED_TABLE)) return false
          throw error
        },
      )
    const tables = isLocked ? await listTables(client, scope) : []
    if (JSON.stringify(tables) === JSON.stringify(expected)) return tables
    await client.query('rollback')
  }
  throw new StartupError('The database has no shop tables. Check DATABASE_URL, or start the shop once.')
}

/** Counts rows: Postgres escapes line breaks in values, so each line break ends a row. */
export function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines
}
