import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { StartupError } from './errors.ts'

/** Advisory lock: one process migrates at a time. */
const MIGRATING = 7_461_019

/** The first of the migrations that the baseline replaced. */
const firstBeforeBaseline = '0001_shop.sql'

/**
 * The former checksums of files that were corrected. Only a file that failed where the correction makes a difference may be:
 * databases that have applied it are as if they had applied the corrected one.
 */
export const formerChecksums: Readonly<Record<string, string>> = {
  // Failed in a database with orders and more than one product.
  '20261122172000_variants.sql': 'b68671c24f82dc5b05d2be5361ff5296aacb40f204cdc951508034f2ae929da4',
}

interface Migration {
  name: string
  text: string
  /** SHA-256 of the text, in hexadecimal. */
  checksum: string
}

/**
 * Applies pending `.sql` files in the order of their names, each in its own transaction. Several processes may call it
 * concurrently.
 * @returns the names of the files that this call applied
 * @throws StartupError if a file fails (it is rolled back), or an applied file was changed or is missing
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
 * Applies pending files within the caller's transaction.
 * @param names if given, only these files
 */
export async function migrateWithin(
  transaction: Kysely<Database>,
  folder: string,
  names?: readonly string[],
): Promise<void> {
  const migrations = readMigrations(folder).filter(({ name }) => names?.includes(name) ?? true)
  while (await applyNext(transaction, migrations));
}

/**
 * Returns the names of pending files, for the readiness check.
 * @throws the error of the database if it does not respond
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

/** Blocks other migrations until the caller's transaction ends. */
export async function lockMigrations(transaction: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MIGRATING})`.execute(transaction)
}

async function applyNext(
  transaction: Kysely<Database>,
  migrations: Migration[],
): Promise<string | undefined> {
  await sql`set local statement_timeout = 0`.execute(transaction) // The lock may take long.
  // The default search path starts with the role's name: a role `identity` would create the tables in that schema.
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
  const next = migrations.find((migration) => !applied.has(migration.name))
  if (next) await apply(transaction, next)
  return next?.name
}

async function apply(transaction: Kysely<Database>, { name, text, checksum }: Migration): Promise<void> {
  try {
    await sql.raw(text).execute(transaction)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(`The migration ${name} failed (${reason}). Correct the file, then start again.`, {
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
  const changed = migrations.find((migration) => {
    const checksum = applied.get(migration.name)
    return checksum !== undefined && !hasChecksum(migration, checksum)
  })
  if (changed) {
    throw new StartupError(
      `The migration ${changed.name} was changed after it was applied. Restore the file, and make the change in a new one.`,
    )
  }
  const unknown = [...applied.keys()].find((name) => !migrations.some((migration) => migration.name === name))
  if (!unknown) return
  throw new StartupError(
    applied.has(firstBeforeBaseline)
      ? 'The database was created before the baseline migration and cannot be migrated. Create an empty database, or delete the data folder, then start again.'
      : `The database was migrated by ${unknown}, which this version of the shop does not have. Start the newer version, or use another database.`,
  )
}

/** Returns all migration files in the order of application. */
export function readMigrations(folder: string): Migration[] {
  return listFiles(folder).map((name) => {
    // The checksum must not depend on the line endings of the checkout.
    const text = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { name, text, checksum: hash('sha256', text) }
  })
}

/** Whether this is the checksum of a migration, as it is or as it was before a correction. */
export const hasChecksum = ({ name, checksum }: Migration, other: string): boolean =>
  other === checksum || other === formerChecksums[name]

const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
