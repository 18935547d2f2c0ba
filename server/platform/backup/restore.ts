import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import { type ClientBase, escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '../../../db/schema.ts'
import { LOCK_NOT_AVAILABLE } from '../database/database.ts'
import {
  findMismatch,
  isUnknown,
  lockMigrations,
  migrateWithin,
  oldestVersion,
  readMigrations,
} from '../database/migrations.ts'
import { hasCode, StartupError } from '../errors.ts'
import { damaged, type Header, readFrames, readHeader, readRows, tooOld } from './frames.ts'
import { beginUnlimited, listTables, onConnection, type Scope } from './tables.ts'

export interface RestoreOptions {
  scope: Scope
  /** Folder of the migrations. */
  migrations: string
  /** Whether existing rows may be deleted. */
  replace: boolean
  /** Runs after the migrations, in the same transaction. */
  finish: (db: Kysely<Database>) => Promise<void>
  onProgress: (message: string) => void
  signal?: AbortSignal
}

/**
 * Replaces all rows by the rows of a backup, in one transaction. It recreates the tables with the migrations of the
 * backup, fills them and applies the newer migrations. Other sessions wait for the locks.
 *
 * @param pool connects as the role that owns the database
 * @returns the time of the backup and the number of its rows
 * @throws StartupError if the file or the database cannot be used; nothing is changed then
 */
export async function restoreBackup(
  pool: Pool,
  file: string,
  options: RestoreOptions,
): Promise<{ takenAt: string; rows: number }> {
  const { scope, migrations, signal } = options
  await using frames = readFrames(file)
  const header = await readHeader(frames, file)
  requireKnownMigrations(header, file, migrations)
  return await onConnection(pool, signal, async (client) => {
    const db = databaseOn(client)
    await beginUnlimited(client)
    await lockMigrations(db)
    await lockTables(client, scope)
    await requireShopExtensions(client, scope)
    await requireReplaceable(client, options)
    const before = await listRelations(client, scope)
    // Recreate the tables instead of emptying them, so that their columns match the backup.
    await client.query(`drop schema if exists ${scope.schemas.map(escapeIdentifier).join(', ')} cascade`)
    await client.query('create schema public')
    await migrateWithin(db, migrations, header.migrations)
    const rows = await loadRows(client, { file, header, frames }, options)
    await client.query('set constraints all immediate')
    await migrateWithin(db, migrations)
    requireShopAlone(before, await listRelations(client, scope))
    await options.finish(db)
    signal?.throwIfAborted()
    await client.query('commit')
    return { takenAt: header.takenAt, rows }
  })
}

function requireKnownMigrations({ migrations }: Header, file: string, folder: string): void {
  const known = readMigrations(folder)
  const unknown = migrations.find(({ name }) => name >= (known[0]?.name ?? '') && isUnknown(known, name))
  if (unknown) {
    throw new StartupError(
      `${file} was created by a version with the migration ${unknown.name}, which this version does not have. Restore it with that version.`,
    )
  }
  const mismatch = findMismatch(known, migrations)
  if (mismatch?.kind === 'changed') {
    throw new StartupError(
      `${file} was created by a version with a different migration ${mismatch.name}. Restore it with that version.`,
    )
  }
  if (mismatch?.kind === 'incomplete') {
    throw new StartupError(
      `${file} is too old: this version restores backups of version ${oldestVersion} and newer ones. Restore it with version ${oldestVersion}, run npm run backup with it, and restore that backup.`,
    )
  }
  if (mismatch) throw tooOld(file)
}

/** Creates a Kysely instance for a connection with an open transaction. */
function databaseOn(client: PoolClient): Kysely<Database> {
  const lent = { query: client.query.bind(client), release: () => undefined }
  const pool = { options: {}, connect: async () => lent, end: async () => undefined }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

const lockTimeoutMs = 60_000
/** Shorter than Postgres' deadlock timeout of 1 s, so that a deadlock never aborts an order. */
const ATTEMPT = '200ms'

/**
 * Locks all tables exclusively until the transaction ends. It takes all locks or releases them and retries, which
 * prevents deadlocks.
 *
 * @throws StartupError if the tables are still in use after one minute
 */
async function lockTables(client: ClientBase, { schemas }: Scope): Promise<void> {
  const tables = await listTables(client, { schemas, excludedTables: [] })
  if (tables.length === 0) return
  const names = tables.map(({ name }) => name).join(', ')
  const deadline = Date.now() + lockTimeoutMs
  while (Date.now() < deadline) {
    await client.query(`savepoint locking; set local lock_timeout = '${ATTEMPT}'`)
    try {
      await client.query(`lock table ${names} in access exclusive mode`)
      return void (await client.query('set local lock_timeout = 0'))
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error
      await client.query('rollback to savepoint locking')
    }
    await delay(100)
  }
  throw new StartupError(
    'Another process, such as a backup, keeps the tables locked. Nothing was changed. Wait until it has ended, then restore again.',
  )
}

/** The migrations create them again. */
const shopExtensions = ['pg_trgm', 'unaccent']

/** @throws StartupError if an extension would be dropped with its schema, and not created again */
async function requireShopExtensions(client: ClientBase, { schemas }: Scope): Promise<void> {
  const { rows } = await client.query<{ extname: string }>(
    `select extname from pg_extension join pg_namespace n on n.oid = extnamespace
     where n.nspname = any($1) and extname <> all($2) order by 1`,
    [schemas, shopExtensions],
  )
  if (rows.length === 0) return
  const names = rows.map(({ extname }) => extname).join(', ')
  throw new StartupError(
    `The database has other extensions (${names}), which a restore would delete. Drop them, restore, and create them again in another schema.`,
  )
}

/**
 * Reports the rows that will be replaced.
 *
 * @throws StartupError if there are rows and `replace` is false
 */
async function requireReplaceable(
  client: ClientBase,
  { scope, replace, onProgress }: RestoreOptions,
): Promise<void> {
  const counts: string[] = []
  for (const { name } of await listTables(client, scope)) {
    const { rows } = await client.query(`select count(*) as count from ${name}`)
    if (rows[0].count > 0) counts.push(`${name} ${rows[0].count}`)
  }
  if (counts.length === 0) return
  if (replace) return onProgress(`Replacing the current rows: ${counts.join(', ')}.`)
  throw new StartupError(
    `The database is not empty (${counts.join(', ')}). Restore into an empty one, or add --replace to delete these rows.`,
  )
}

/** Returns the names of all tables and views. */
async function listRelations(client: ClientBase, { schemas }: Scope): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any($1) order by 1`,
    [schemas],
  )
  return rows.map(({ name }) => name)
}

/** @throws StartupError if there were tables or views that the migrations do not create */
function requireShopAlone(before: string[], after: string[]): void {
  const others = before.filter((name) => !after.includes(name))
  if (others.length === 0) return
  throw new StartupError(
    `The database has other tables (${others.join(', ')}), which a restore would delete. Move them to another database, then restore again.`,
  )
}

/**
 * Fills the empty tables in the caller's transaction and sets their sequences. For security, names from the file are
 * only compared with the database's names.
 *
 * @returns the number of rows
 * @throws StartupError if the file is corrupt or has other tables
 */
async function loadRows(
  client: ClientBase,
  { file, header, frames }: { file: string; header: Header; frames: AsyncGenerator<Buffer> },
  { scope, onProgress }: RestoreOptions,
): Promise<number> {
  const isInBackup = (name: string) => header.tables.some((table) => table.name === name)
  const tables = (await listTables(client, scope)).filter(
    ({ name }) => !scope.addedTables?.includes(name) || isInBackup(name),
  )
  if (!isDeepStrictEqual(header.tables, tables)) throw damaged(file, 'its tables do not match its migrations')
  let total = 0
  for (const { name, columns } of tables) {
    // The user triggers ran when the rows were created. Foreign keys are still checked.
    await client.query(`alter table ${name} disable trigger user`)
    const copy = client.query(copyFrom(`copy ${name} (${columns}) from stdin`))
    await pipeline(readRows(frames, file), copy)
    await client.query(`alter table ${name} enable trigger user`)
    onProgress(`${name}: ${copy.rowCount.toLocaleString('en-US')} rows`)
    total += copy.rowCount
  }
  const { done } = await frames.next()
  if (!done) throw damaged(file, 'it has data after its end')
  await client.query(
    `select setval(format('%I.%I', schemaname, sequencename), ($1::jsonb ->> format('%I.%I', schemaname, sequencename))::bigint)
     from pg_sequences where schemaname = any($2) and $1::jsonb ? format('%I.%I', schemaname, sequencename)`,
    [JSON.stringify(header.sequences), scope.schemas],
  )
  return total
}
