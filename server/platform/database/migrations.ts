import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type ClientBase, escapeIdentifier, type Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import { hasCode, StartupError } from '../errors.ts'
import { MIGRATING } from './advisory-locks.ts'
import { DEADLOCK_DETECTED, hasTable, LOCK_NOT_AVAILABLE, type OpenDatabase } from './database.ts'
import { requireSupportedServer } from './supported-server.ts'

/**
 * The last version before the baseline: this version upgrades databases and backups from it and from newer versions.
 */
export const oldestVersion = '0.1.0 (commit 705b3b9)'

const maxAttempts = 10
/** Poll interval for the lock of another process that migrates. */
const pollMs = 100

interface Migration {
  name: string
  text: string
  /** SHA-256 of the text, in hexadecimal. */
  checksum: string
  /** The newest file of the oldest version that works with the schema after this file. Null: no older version does. */
  worksWith: string | null
  /** Whether it runs statement by statement, as `create index concurrently` requires. */
  isTransactional: boolean
  /** Whether `checksums.txt` lists this text, which must not be edited then. */
  isLanded: boolean
  /**
   * The files that a baseline replaces, each with its checksums. A database that has all of them has the same schema, and
   * gets only the record of the baseline.
   */
  replaces: ReadonlyMap<string, readonly string[]>
}

interface Pending extends Migration {
  /** Whether the database has the files that it replaces. */
  isReplaced: boolean
}

/** A record of an applied file. */
interface Recorded {
  name: string
  checksum: string
}

interface MigrateOptions {
  /**
   * A file waits this long for the lock of a table. All queries of that table wait behind it, and requests have 1.5 s.
   * After 1 s (`deadlock_timeout`) Postgres cancels an autovacuum that has the lock.
   */
  lockTimeout?: string
  /** Milliseconds until the next attempt, after a file did not get the lock of a table. */
  retryDelayMs?: () => number
  onRetry?: (message: string) => void
}

/**
 * Applies pending `.sql` files in the order of their names, each in its own transaction, or all in one to an empty
 * database. Several processes may call it concurrently. A file that starts with `-- no transaction` needs a second
 * connection of the pool.
 * @returns the names of the files that this call applied
 * @throws StartupError if a file fails (it is rolled back), or an applied file was changed or is missing
 */
export async function migrate(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  folder: string,
  {
    lockTimeout = '1100ms',
    retryDelayMs = () => 1_000 + Math.random() * 9_000,
    onRetry = () => undefined,
  }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(folder)
  const names: string[] = []
  let attempts = 0
  // Without the lock, so that a version that needs no change starts while a newer one migrates.
  for (let next = await findNext(db, migrations); next; next = await findNext(db, migrations)) {
    try {
      const applied = await db.transaction().execute((tx) => applyNext(tx, pool, migrations, lockTimeout))
      if (applied.length > 0) names.push(...applied)
      else await delay(pollMs)
      attempts = 0
    } catch (error) {
      if (!isBusy(error)) throw error
      if (++attempts === maxAttempts) throw tooBusy(next, error)
      onRetry(`The migration ${next.name} waits for other transactions and is tried again.`)
      await delay(retryDelayMs())
    }
  }
  return names
}

/**
 * Whether a file did not get a lock. A file that locks several tables can also end in a deadlock with a request, which
 * locks them in another order.
 */
const isBusy = (error: unknown): boolean =>
  [LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].some((code) => hasCode(error, code))

const tooBusy = ({ name }: Migration, cause: unknown) =>
  new StartupError(
    `The migration ${name} got no lock on its tables in ${maxAttempts} attempts. Nothing of it was changed. Try again when no long transaction runs.`,
    { cause },
  )

/** Applies the next file, or all to an empty database, if no other process migrates. Returns their names. */
async function applyNext(
  transaction: Transaction<Database>,
  pool: Pool,
  migrations: Migration[],
  lockTimeout: string,
): Promise<string[]> {
  if (!(await tryLock(transaction))) return []
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction)
  const next = await prepare(transaction, migrations)
  if (!next) return []
  if (next.name === migrations[0]?.name && !next.isReplaced) return applyAll(transaction, migrations)
  if (next.isReplaced) await record(transaction, next)
  else if (next.isTransactional) await apply(transaction, next)
  else {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await applyStatements(pool, next)
    await record(transaction, next)
  }
  return [next.name]
}

/** No other session can read the tables of the files yet, so that their indexes need not be created concurrently. */
async function applyAll(transaction: Kysely<Database>, migrations: Migration[]): Promise<string[]> {
  const names: string[] = []
  for (
    let next = await prepare(transaction, migrations);
    next;
    next = await prepare(transaction, migrations)
  ) {
    await apply(transaction, { ...next, text: next.text.replaceAll(/\bconcurrently\b/gi, '') })
    names.push(next.name)
  }
  return names
}

/**
 * Applies pending files within the caller's transaction, which has locked the migrations.
 * @param only applies only these files, and the baseline instead of the files that it replaces
 */
export async function migrateWithin(
  transaction: Kysely<Database>,
  folder: string,
  only?: readonly Recorded[],
): Promise<void> {
  const all = readMigrations(folder)
  const names = new Set(only?.map(({ name }) => name))
  const replaced = only?.filter(({ name }) => all[0]?.replaces.has(name)) ?? []
  const isWanted = ({ name, replaces }: Migration) =>
    !only || names.has(name) || (replaces.size > 0 && replaced.length > 0)
  await applyAll(transaction, all.filter(isWanted))
  // The last version before the baseline looks for them.
  for (const each of replaced) await record(transaction, { ...each, worksWith: null })
}

/**
 * Returns the files that `migrate` would apply, without a change, and whether the newest version that has run on the database
 * works with the result of each.
 * @throws StartupError if this version cannot upgrade the database
 */
export async function findPending(
  db: Kysely<Database>,
  folder: string,
): Promise<{ isEmpty: boolean; pending: { name: string; isRunnable: boolean }[] }> {
  const migrations = readMigrations(folder)
  await findNext(db, migrations)
  const applied = await findApplied(db)
  const newest = [...applied.keys()].toSorted().at(-1) ?? ''
  const pending = migrations.filter(({ name }) => !applied.has(name))
  return {
    isEmpty: applied.size === 0,
    pending: pending.map(({ name, worksWith }) => ({
      name,
      isRunnable: worksWith !== null && worksWith <= newest,
    })),
  }
}

/**
 * Checks the schema without a change.
 * @throws StartupError if a file is pending, or if this version does not work with the schema
 */
export async function requireSchema(db: Kysely<Database>, folder: string): Promise<void> {
  const pending = await findNext(db, readMigrations(folder))
  if (!pending) return
  throw new StartupError(
    `The database lacks the migration ${pending.name}. Run npm run migrate, then try again.`,
  )
}

/** Returns whether all migrations are applied, by a connection without Kysely. */
export async function hasAllMigrations(client: ClientBase, folder: string): Promise<boolean> {
  const table = await client.query("select to_regclass('public.migrations') is not null as exists")
  if (!table.rows[0]?.exists) return false
  const { rows } = await client.query<{ name: string }>('select name from public.migrations')
  const applied = new Set(rows.map(({ name }) => name))
  return listFiles(folder).every((name) => applied.has(name))
}

/** Blocks other migrations until the caller's transaction ends. */
export async function lockMigrations(transaction: Kysely<Database>): Promise<void> {
  while (!(await tryLock(transaction))) await delay(pollMs)
}

/** Polled, because a statement that waits for the lock blocks `create index concurrently` of the process that has it. */
async function tryLock(transaction: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${MIGRATING}) as "isLocked"`.execute(transaction)
  return rows[0]?.isLocked ?? false
}

/** Creates the table of the migrations if it is missing. Returns the next file to apply. */
async function prepare(transaction: Kysely<Database>, migrations: Migration[]): Promise<Pending | undefined> {
  await sql`set local statement_timeout = 0`.execute(transaction) // A file may take long.
  // The default search path starts with the role's name: a role `identity` would create the tables in that schema.
  await sql`set local search_path = public`.execute(transaction)
  await sql`
    create table if not exists public.migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now(),
      works_with text
    )`.execute(transaction)
  return findNext(transaction, migrations)
}

/**
 * Returns the first file that is not applied.
 * @throws StartupError if this version cannot work with the server or the schema
 */
async function findNext(db: Kysely<Database>, migrations: Migration[]): Promise<Pending | undefined> {
  await requireSupportedServer(db)
  const applied = await findApplied(db)
  const mismatch = findMismatch(migrations, [...applied.values()])
  if (mismatch) throw new StartupError(toSentence(mismatch))
  const newest = migrations.at(-1)?.name ?? ''
  const newer = [...applied.values()].find(
    ({ name, worksWith }) => isUnknown(migrations, name) && (worksWith === null || worksWith > newest),
  )
  if (newer) throw new StartupError(newerThan(newer.name))
  const next = migrations.find(({ name }) => !applied.has(name))
  return next && { ...next, isReplaced: [...next.replaces.keys()].some((name) => applied.has(name)) }
}

async function apply(transaction: Kysely<Database>, migration: Migration): Promise<void> {
  await sql
    .raw(migration.text)
    .execute(transaction)
    .catch((error: unknown) => {
      throw toFailure(migration, error)
    })
  await record(transaction, migration)
}

/**
 * After a failure the next attempt starts with the first statement again, so that each of them must be repeatable. No
 * query waits behind a concurrent index build, so no lock timeout is set.
 */
async function applyStatements(pool: Pool, migration: Migration): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set search_path = public')
    for (const statement of toStatements(migration.text)) {
      const [, index] = /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement) ?? []
      if (index) await dropInvalidIndex(client, index)
      await client.query(statement)
    }
  } catch (error) {
    throw toFailure(migration, error)
  } finally {
    client.release(true) // Its settings must not stay in the pool.
  }
}

/** A failed `create index concurrently` leaves an index that is updated but never used. */
async function dropInvalidIndex(client: ClientBase, name: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  )
  if (rowCount) await client.query(`drop index concurrently ${escapeIdentifier(name)}`)
}

const toStatements = (text: string): string[] =>
  text
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)

/** Returns a lock that a file did not get unchanged, because the file is tried again. */
function toFailure({ name, isLanded, isTransactional }: Migration, error: unknown): unknown {
  if (isBusy(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  const fix = `${isLanded ? 'Fix this' : 'Correct the file'}, then start again.`
  const state = isLanded && isTransactional ? ' Nothing of it was changed.' : ''
  return new StartupError(`The migration ${name} failed (${reason}). ${fix}${state}`, { cause: error })
}

async function record(transaction: Kysely<Database>, { name, checksum, worksWith }: Applied): Promise<void> {
  await sql`
    insert into public.migrations (name, checksum, works_with) values (${name}, ${checksum}, ${worksWith})`.execute(
    transaction,
  )
}

interface Applied extends Recorded {
  worksWith: string | null
}

async function findApplied(db: Kysely<Database>): Promise<Map<string, Applied>> {
  if (!(await hasTable(db, 'public.migrations'))) return new Map()
  // As JSON, because an earlier version created the table without the column.
  const { rows } = await sql<Applied>`
    select name, checksum, to_jsonb(m) ->> 'works_with' as "worksWith" from public.migrations m`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

interface Mismatch {
  name: string
  /**
   * `changed`: the file of this version differs. `incomplete`: only some of the files that the baseline replaces are
   * recorded. `foreign`: files from before the baseline are recorded that it does not replace.
   */
  kind: 'changed' | 'incomplete' | 'foreign'
}

/** Returns the first record that does not belong to this version or to an older one that it can upgrade. */
export function findMismatch(
  migrations: readonly Migration[],
  applied: readonly Recorded[],
): Mismatch | undefined {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (changed) return { name: changed.name, kind: 'changed' }
  const [baseline] = migrations
  if (!baseline || checksums.has(baseline.name)) return undefined
  const older = applied.filter(({ name }) => name < baseline.name)
  if (older.length === 0) return undefined
  const foreign = older.find(({ name, checksum }) => !baseline.replaces.get(name)?.includes(checksum))
  if (foreign) return { name: foreign.name, kind: 'foreign' }
  const missing = [...baseline.replaces.keys()].find((name) => !checksums.has(name))
  return missing === undefined ? undefined : { name: missing, kind: 'incomplete' }
}

/** Whether neither a file nor a replaced file has this name. */
export const isUnknown = (migrations: readonly Migration[], name: string): boolean =>
  !migrations.some((migration) => migration.name === name || migration.replaces.has(name))

function toSentence({ name, kind }: Mismatch): string {
  if (kind === 'changed') {
    return `The migration ${name} was changed after it was applied. Restore the file, and make the change in a new one.`
  }
  if (kind === 'incomplete') {
    return `The database is too old: it lacks the migration ${name}. Run npm run migrate with version ${oldestVersion} first, then with this one. Nothing was changed.`
  }
  return `The database is too old: it was created before version ${oldestVersion}, by a different ${name}. No later version can upgrade it. Export the products with the version that created it, and import them with this one into an empty database or data folder. Nothing was changed.`
}

const newerThan = (name: string) =>
  `The database was migrated by ${name}, which this version of the shop does not have. Start the newer version, or use another database.`

/** Returns all migration files in the order of application. */
export function readMigrations(folder: string): Migration[] {
  const landed = readChecksums(folder)
  return listFiles(folder).map((name) => {
    // The checksum must not depend on the line endings of the checkout.
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    const checksum = hash('sha256', text)
    return {
      name,
      text,
      checksum,
      isLanded: landed.get(name) === checksum,
      worksWith: /^-- works with: (\S+)$/m.exec(text)?.[1] ?? null,
      isTransactional: !text.startsWith('-- no transaction\n'),
      replaces: readReplaced(text),
    }
  })
}

/** Returns the checksums of the landed files by their names, from the lines that `sha256sum` writes. */
export function readChecksums(folder: string): Map<string, string> {
  const list = path.join(folder, 'checksums.txt')
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => [line.slice(66).trim(), line.slice(0, 64)]))
}

function readReplaced(text: string): Map<string, string[]> {
  const replaced = new Map<string, string[]>()
  for (const [, checksum = '', name = ''] of text.matchAll(/^-- replaces: ([0-9a-f]{64}) (\S+)$/gm)) {
    replaced.set(name, [...(replaced.get(name) ?? []), checksum])
  }
  return replaced
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
