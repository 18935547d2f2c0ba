import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { type ClientBase, escapeIdentifier, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '../../../db/schema.ts'
import { withMethod } from '../connection-pool.ts'
import { StartupError } from '../errors.ts'
import { listMigrations, lockMigrations, migrateWithin } from '../migrations.ts'
import { damaged } from './format.ts'
import { lockTables, requireReplaceable, requireShopAlone } from './prepare-target.ts'
import { type Contents, readBackup, verifyBackup } from './read.ts'
import {
  beginUnlimited,
  listSequences,
  listTables,
  type Scope,
  type Sequence,
  setSequence,
  type Table,
} from './tables.ts'

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
 * Replaces all rows by those of a backup, in one transaction. It verifies the file first, recreates the tables with the
 * migrations of the backup, fills them and applies the newer migrations. Other sessions wait for the locks.
 *
 * @param client a dedicated connection of the role that owns the database
 * @throws StartupError if the file or the database cannot be used; nothing is changed then
 */
export async function restoreBackup(
  client: PoolClient,
  file: string,
  options: RestoreOptions,
): Promise<Contents> {
  const { scope, migrations, signal } = options
  const contents = await verifyBackup(file, signal)
  requireKnownMigrations(contents, file, migrations)
  const db = databaseOn(client)
  await beginUnlimited(client)
  await lockMigrations(db)
  await lockTables(client, scope, signal)
  await requireReplaceable(client, options)
  await requireShopAlone(client, scope, async () => {
    // Recreate the tables instead of emptying them, so that their columns match the backup.
    await client.query(`drop schema if exists ${scope.schemas.map(escapeIdentifier).join(', ')} cascade`)
    await client.query('create schema public')
    const names = contents.header.migrations.map(({ name }) => name)
    await migrateWithin(db, migrations, names)
    await loadRows(client, file, contents, options)
    await client.query('set constraints all immediate')
    await migrateWithin(db, migrations)
  })
  await options.finish(db)
  signal?.throwIfAborted()
  await client.query('commit')
  return contents
}

function requireKnownMigrations({ header }: Contents, file: string, folder: string): void {
  const known = new Map(listMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const newer = header.migrations.find(({ name }) => !known.has(name))
  if (newer) {
    throw new StartupError(
      `${file} was created by a version with the migration ${newer.name}, which this version does not have. Restore it with that version.`,
    )
  }
  const other = header.migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (other) {
    throw new StartupError(
      `${file} was created by a version with a different migration ${other.name}. Restore it with that version.`,
    )
  }
}

/** Creates a Kysely instance for a connection with an open transaction. */
function databaseOn(client: PoolClient): Kysely<Database> {
  const lent = withMethod(client, 'release', () => undefined)
  const pool = { options: {}, connect: async () => lent, end: async () => undefined }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Fills the empty tables in the caller's transaction and sets their sequences. For security, it runs only statements
 * that equal those that a backup of these tables would contain.
 *
 * @param contents result of `verifyBackup`
 * @throws StartupError if the file has changed since, or has other tables
 */
async function loadRows(
  client: ClientBase,
  file: string,
  contents: Contents,
  { scope, onProgress, signal }: RestoreOptions,
): Promise<void> {
  const missing = new Map((await listTables(client, scope)).map((table) => [copyLine(table), table]))
  const sequences = await listSequences(client, scope)
  const reader = {
    async table(line: string, rows: AsyncIterable<Buffer>) {
      const table = missing.get(line)
      if (!table) throw damaged(file, 'a table does not match its migrations')
      missing.delete(line)
      // The user triggers ran when the rows were created. Foreign keys are still checked.
      await client.query(`alter table ${table.sql} disable trigger user`)
      await pipeline(rows, client.query(copyFrom(`${table.copy} from stdin`)))
      await client.query(`alter table ${table.sql} enable trigger user`)
      onProgress(`${table.name}: ${(contents.rows[table.name] ?? 0).toLocaleString('en-US')} rows`)
    },
    async sequence(line: string) {
      if (!isIncluded(sequences, line)) throw damaged(file, 'it has an unexpected line')
      await client.query(line)
    },
  }
  const { sha256 } = await readBackup(file, reader, signal)
  if (sha256 !== contents.sha256) throw damaged(file, 'it was changed while it was read')
  const [absent] = missing.values()
  if (absent) throw damaged(file, `the table ${absent.name} is missing`)
}

const copyLine = ({ copy }: Table) => `${copy} from stdin;`

function isIncluded(sequences: Sequence[], line: string): boolean {
  const [, lastValue, called] = /, (\d{1,19}), (true|false)\);$/.exec(line) ?? []
  if (!lastValue) return false
  return sequences.some(({ sql }) => line === setSequence({ sql, lastValue, isCalled: called === 'true' }))
}
