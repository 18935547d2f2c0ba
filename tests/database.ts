import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../server/platform/database.ts'
import { hasCode } from '../server/platform/startup-error.ts'

/** The schemas whose rows belong to a test. */
const schemas = ['public', 'identity', 'sandbox']

export interface TestDatabase extends OpenDatabase {
  url: string
  /** Removes every row but the record of migrations, and starts all counters anew. */
  empty: () => Promise<void>
}

/**
 * Opens a migrated, empty database of its own on the Postgres that `tests/global-setup.ts` keeps.
 * Open one for each test file, empty it before each test, and close it after the last.
 */
export async function openTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `${server.template}_${randomBytes(6).toString('hex')}`
  await asAdmin(
    server.url,
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(server.template)}`,
  )
  const url = databaseUrl(server.url, name)
  const database = openDatabase(url, { poolSize: options.poolSize ?? 10 })
  return {
    ...database,
    url,
    empty: () => empty(database),
    async close() {
      await database.close()
      await asAdmin(server.url, `drop database ${escapeIdentifier(name)} with (force)`)
    },
  }
}

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement on the server itself. */
export async function asAdmin(server: string, statement: string): Promise<void> {
  const admin = openDatabase(server, { poolSize: 1 })
  try {
    await sql.raw(statement).execute(admin.db)
  } finally {
    await admin.close()
  }
}

async function empty({ db }: OpenDatabase): Promise<void> {
  const { rows } = await sql<{ name: string; guarded: boolean }>`
    select format('%I.%I', schemaname, tablename) as name,
      exists (select from pg_trigger where tgname = tablename || '_never_emptied') as guarded
    from pg_tables
    where schemaname = any(${schemas}) and (schemaname, tablename) <> ('public', 'migrations')`.execute(db)
  if (rows.length === 0) return
  const guarded = rows.filter((row) => row.guarded)
  const guards = (verb: string) =>
    guarded.map(({ name }) => `alter table ${name} ${verb} trigger user;`).join(' ')
  // What is only ever added to refuses to be emptied: its guards rest meanwhile.
  await runAtOnce(
    db,
    `${guards('disable')} truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade; ${guards('enable')}`,
  )
}

/** What the last test set in motion, such as a webhook, may hold a row here and want one there: it goes first. */
async function runAtOnce(db: OpenDatabase['db'], statements: string): Promise<void> {
  try {
    await sql.raw(statements).execute(db)
  } catch (error) {
    if (!hasCode(error, '40P01')) throw error
    await runAtOnce(db, statements)
  }
}
