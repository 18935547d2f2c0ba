import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { StartupError } from './startup-error.ts'

/** The advisory lock that lets one process migrate at a time. */
const MIGRATING = 7_461_019

/** A file that was applied, or is to be. */
export interface MigrationMark {
  name: string
  /** SHA-256 of its text. */
  checksum: string
}

interface Migration extends MigrationMark {
  text: string
}

/**
 * Applies the folder's `.sql` files that were not applied yet, in the order of their names, each in a transaction
 * of its own. Any number of processes may do so at once. There is no way back: a mistake is fixed by another file.
 * @returns the names of the files that this call applied.
 * @throws StartupError when a file fails (nothing of it stays) or an applied one was changed or is gone.
 */
export async function migrate(db: Kysely<Database>, folder: string): Promise<string[]> {
  const migrations = readMigrations(folder)
  const names: string[] = []
  for (;;) {
    const name = await db.transaction().execute((transaction) => applyNext(transaction, migrations))
    if (!name) return names
    names.push(name)
  }
}

/**
 * Applies, within the caller's transaction, those of the folder's files that were not applied yet.
 * @param names these alone, if given
 */
export async function migrateWithin(
  transaction: Kysely<Database>,
  folder: string,
  names?: readonly string[],
): Promise<void> {
  const migrations = readMigrations(folder)
  const wanted = migrations.filter(({ name }) => names?.includes(name) ?? true)
  while (await applyNext(transaction, migrations, wanted));
}

/** The folder's files, in the order in which they are applied. */
export function listMigrations(folder: string): MigrationMark[] {
  return readMigrations(folder).map(({ name, checksum }) => ({ name, checksum }))
}

/**
 * The names of the files that were not applied yet, for a process that asks whether it may serve.
 * @throws the database's error where it does not answer.
 */
export async function pendingMigrations(db: Kysely<Database>, folder: string): Promise<string[]> {
  const names = listFiles(folder)
  const table = await sql<{
    exists: boolean
  }>`select to_regclass('public.migrations') is not null as exists`.execute(db)
  if (!table.rows[0]?.exists) return names
  const applied = await findApplied(db)
  return names.filter((name) => !applied.has(name))
}

/** Keeps everyone else from migrating until the caller's transaction ends. */
export async function lockMigrations(transaction: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATING})`.execute(transaction)
}

async function applyNext(
  transaction: Kysely<Database>,
  migrations: Migration[],
  wanted = migrations,
): Promise<string | undefined> {
  await sql`set local statement_timeout = 0`.execute(transaction) // Waiting for another's migration takes its time.
  // A role finds the schema of its own name first: one called `identity` would keep the shop among the accounts.
  await sql`set local search_path = public`.execute(transaction)
  await lockMigrations(transaction)
  await sql`
    create table if not exists public.migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(transaction)
  const applied = await findApplied(transaction)
  refuseChanged(migrations, applied)
  const next = wanted.find((migration) => !applied.has(migration.name))
  if (next) await apply(transaction, next)
  return next?.name
}

async function apply(transaction: Kysely<Database>, { name, text, checksum }: Migration): Promise<void> {
  try {
    await sql.raw(text).execute(transaction)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The migration ${name} failed (${reason}): correct the file, then start again.`, {
      cause: error,
    })
  }
  await sql`insert into public.migrations (name, checksum) values (${name}, ${checksum})`.execute(transaction)
}

async function findApplied(db: Kysely<Database>): Promise<Map<string, string>> {
  const { rows } = await sql<{
    name: string
    checksum: string
  }>`select name, checksum from public.migrations`.execute(db)
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

function refuseChanged(migrations: Migration[], applied: Map<string, string>): void {
  const changed = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
  if (changed) {
    throw new StartupError(
      `The migration ${changed.name} was changed after it was applied: put it back, and make the change in a new file.`,
    )
  }
  const gone = [...applied.keys()].find((name) => !migrations.some((migration) => migration.name === name))
  if (gone) {
    throw new StartupError(
      `The database was migrated by ${gone}, which this version of the shop does not have: start the newer version, or use another database.`,
    )
  }
}

function readMigrations(folder: string): Migration[] {
  return listFiles(folder).map((name) => {
    // Checked out with either line ending, it is the same migration.
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

function listFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}
