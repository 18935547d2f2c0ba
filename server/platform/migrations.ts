import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type ClientBase, escapeIdentifier, type Pool } from 'pg'
import type { Database } from '../../db/schema.ts'
import { MIGRATING } from './advisory-locks.ts'
import { hasTable, type OpenDatabase } from './database.ts'
import { hasCode, StartupError } from './errors.ts'

/** The first of the migrations that the baseline replaced. */
const firstBeforeBaseline = '0001_shop.sql'

/**
 * The former checksums of files that were corrected. Only a file that failed where the correction makes a difference may be:
 * databases that have applied it are as if they had applied the corrected one.
 */
const formerChecksums: Readonly<Record<string, string>> = {
  // Failed in a database with orders and more than one product.
  '20261122172000_variants.sql': 'b68671c24f82dc5b05d2be5361ff5296aacb40f204cdc951508034f2ae929da4',
}

const maxAttempts = 10
/** Poll interval for the lock of another process that migrates. */
const pollMs = 100
const LOCK_NOT_AVAILABLE = '55P03'

interface Migration {
  name: string
  text: string
  /** SHA-256 of the text, in hexadecimal. */
  checksum: string
  /** The newest file of the oldest version that works with the schema after this file. Null: no older version does. */
  worksWith: string | null
  /** Whether it runs statement by statement, as `create index concurrently` requires. */
  isTransactional: boolean
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
 * Applies pending `.sql` files in the order of their names, each in its own transaction. Several processes may call it
 * concurrently. A file that starts with `-- no transaction` needs a second connection of the pool.
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
      const isApplied = await db.transaction().execute((tx) => applyFirst(tx, pool, migrations, lockTimeout))
      if (isApplied) names.push(isApplied)
      else await delay(pollMs)
      attempts = 0
    } catch (error) {
      if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error
      if (++attempts === maxAttempts) throw tooBusy(next, error)
      onRetry(`The migration ${next.name} waits for other transactions and is tried again.`)
      await delay(retryDelayMs())
    }
  }
  return names
}

const tooBusy = ({ name }: Migration, cause: unknown) =>
  new StartupError(
    `The migration ${name} got no lock on its tables in ${maxAttempts} attempts. Nothing of it was changed. Try again when no long transaction runs.`,
    { cause },
  )

/** Applies the next file if no other process migrates. Returns its name, or undefined if there is nothing to do. */
async function applyFirst(
  transaction: Transaction<Database>,
  pool: Pool,
  migrations: Migration[],
  lockTimeout: string,
): Promise<string | undefined> {
  if (!(await tryLock(transaction))) return undefined
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(transaction)
  const next = await prepare(transaction, migrations)
  if (!next) return undefined
  if (next.isTransactional) await apply(transaction, next)
  else {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await applyStatements(pool, next)
    await record(transaction, next)
  }
  return next.name
}

/**
 * Applies pending files within the caller's transaction, which has locked the migrations.
 * @param names if given, only these files
 */
export async function migrateWithin(
  transaction: Kysely<Database>,
  folder: string,
  names?: readonly string[],
): Promise<void> {
  const migrations = readMigrations(folder).filter(({ name }) => names?.includes(name) ?? true)
  for (
    let next = await prepare(transaction, migrations);
    next;
    next = await prepare(transaction, migrations)
  ) {
    // No other session can read the tables yet, so that indexes need not be created concurrently.
    await apply(transaction, { ...next, text: next.text.replaceAll(/\bconcurrently\b/gi, '') })
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
async function prepare(
  transaction: Kysely<Database>,
  migrations: Migration[],
): Promise<Migration | undefined> {
  await sql`set local statement_timeout = 0`.execute(transaction) // A file may take long.
  // The default search path starts with the role's name: a role `identity` would create the tables in that schema.
  await sql`set local search_path = public`.execute(transaction)
  await sql`
    create table if not exists public.migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(transaction)
  // An earlier version created the table without this column. Looked up first, because the statement takes a lock.
  const column = await sql`
    select from pg_attribute where attrelid = 'public.migrations'::regclass and attname = 'works_with'`.execute(
    transaction,
  )
  if (column.rows.length === 0) {
    await sql`alter table public.migrations add column works_with text`.execute(transaction)
  }
  return findNext(transaction, migrations)
}

/**
 * Returns the first file that is not applied.
 * @throws StartupError if an applied file was changed, or a newer version has made a change that this one cannot work with
 */
async function findNext(db: Kysely<Database>, migrations: Migration[]): Promise<Migration | undefined> {
  const applied = await findApplied(db)
  refuseChanged(migrations, applied)
  return migrations.find(({ name }) => !applied.has(name))
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

/** Returns a lock timeout unchanged, because the file is tried again. */
function toFailure({ name }: Migration, error: unknown): unknown {
  if (hasCode(error, LOCK_NOT_AVAILABLE)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError(`The migration ${name} failed (${reason}). Correct the file, then start again.`, {
    cause: error,
  })
}

async function record(
  transaction: Kysely<Database>,
  { name, checksum, worksWith }: Migration,
): Promise<void> {
  await sql`
    insert into public.migrations (name, checksum, works_with) values (${name}, ${checksum}, ${worksWith})`.execute(
    transaction,
  )
}

interface Applied {
  name: string
  checksum: string
  worksWith: string | null
}

async function findApplied(db: Kysely<Database>): Promise<Map<string, Applied>> {
  if (!(await hasTable(db, 'public.migrations'))) return new Map()
  // As JSON, because an earlier version created the table without the column.
  const { rows } = await sql<Applied>`
    select name, checksum, to_jsonb(m) ->> 'works_with' as "worksWith" from public.migrations m`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

function refuseChanged(migrations: Migration[], applied: Map<string, Applied>): void {
  const changed = migrations.find((migration) => {
    const found = applied.get(migration.name)
    return found !== undefined && !hasChecksum(migration, found.checksum)
  })
  if (changed) {
    throw new StartupError(
      `The migration ${changed.name} was changed after it was applied. Restore the file, and make the change in a new one.`,
    )
  }
  const newest = migrations.at(-1)?.name ?? ''
  const unknown = [...applied.values()].find(
    ({ name, worksWith }) =>
      !migrations.some((migration) => migration.name === name) && (worksWith === null || worksWith > newest),
  )
  if (!unknown) return
  throw new StartupError(
    applied.has(firstBeforeBaseline)
      ? 'The database was created before the baseline migration and cannot be migrated. Create an empty database, or delete the data folder, then start again.'
      : `The database was migrated by ${unknown.name}, which this version of the shop does not have. Start the newer version, or use another database.`,
  )
}

/** Returns all migration files in the order of application. */
export function readMigrations(folder: string): Migration[] {
  return listFiles(folder).map((name) => {
    // The checksum must not depend on the line endings of the checkout.
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return {
      name,
      text,
      checksum: hash('sha256', text),
      worksWith: /^-- works with: (\S+)$/m.exec(text)?.[1] ?? null,
      isTransactional: !text.startsWith('-- no transaction\n'),
    }
  })
}

/** Whether this is the checksum of a migration, as it is or as it was before a correction. */
export const hasChecksum = ({ name, checksum }: Migration, other: string): boolean =>
  other === checksum || other === formerChecksums[name]

const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
