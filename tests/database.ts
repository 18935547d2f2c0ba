import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { expect, inject } from 'vitest'
import { createDatabase, type OpenDatabase } from '../server/platform/database/database.ts'
import { hasCode } from '../server/platform/errors.ts'

/** The schemas whose rows belong to a test. */
const schemas = ['public', 'identity', 'sandbox']

export interface TestDatabase extends OpenDatabase {
  url: string
  /** Deletes all rows except the migration records, and restarts all sequences. */
  empty: () => Promise<void>
}

/**
 * Creates a migrated, empty database on the Postgres server of `tests/global-setup.ts`. Open one per test
 * file, empty it before each test, and close it after the last.
 */
export async function openTestDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const server = inject('testServer')
  const name = `${server.template}_${randomBytes(6).toString('hex')}`
  await asAdmin(
    server.url,
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(server.template)}`,
  )
  const url = databaseUrl(server.url, name)
  // Queries of a test wait for one another on a busy machine.
  const database = createDatabase(url, { poolSize: options.poolSize ?? 10, connectionTimeout: 60_000 })
  const emptier = createDatabase(url, {
    poolSize: 1,
    connectionTimeout: 60_000,
    verify: async (client) => void (await client.query(emptying)),
  })
  return {
    ...database,
    url,
    empty: () => empty(emptier.db),
    async close() {
      await emptier.close()
      await database.close()
      await asAdmin(server.url, `drop database ${escapeIdentifier(name)} with (force)`)
    },
  }
}

/** Resolves when another transaction waits for a lock of this server process. */
export async function waitUntilBlocking({ db }: TestDatabase, pid: number | undefined): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } =
        await sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(db)
      return rows.length
    })
    .toBe(1)
}

/** Resolves when at least `count` queries of this database with a text wait for a lock. Other tests use the same server. */
export async function untilWaiting({ db }: Pick<TestDatabase, 'db'>, count = 1, text = ''): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(
          db,
        )
        return rows.length
      },
      { timeout: 60_000, interval: 10 },
    )
    .toBeGreaterThanOrEqual(count)
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement with its own connection to the server. */
export async function asAdmin(server: string, statement: string): Promise<void> {
  const admin = createDatabase(server, { poolSize: 1 })
  try {
    await sql.raw(statement).execute(admin.db)
  } finally {
    await admin.close()
  }
}

/**
 * Waits for writes in progress, then deletes all rows: `truncate` is slow for small tables. Triggers do not fire
 * meanwhile. It has a connection of its own: a session that changes `session_replication_role` plans all of its statements
 * again. To disable the triggers in each table would do that to all connections.
 */
const emptying = `
create function pg_temp.empty() returns void language plpgsql as $$
declare
  tables constant regclass[] := array(
    select format('%I.%I', schemaname, tablename)::regclass from pg_tables
    where schemaname in (${schemas.map((name) => `'${name}'`).join(', ')}) and tablename <> 'migrations');
  used regclass[];
begin
  execute 'lock table ' || array_to_string(tables, ', ') || ' in share row exclusive mode';
  used := array(select place from unnest(tables) as place where pg_relation_size(place) > 0);
  if exists (select from unnest(used) as place where pg_relation_size(place) > 200000) then
    execute 'truncate ' || array_to_string(tables, ', ');
  elsif used <> '{}' then
    execute (select 'with ' || string_agg(format('t%s as (delete from %s)', number, name), ', ') || ' select'
      from unnest(used) with ordinality as parts (name, number));
  end if;
  perform setval(seqrelid, seqstart, false) from pg_sequence where pg_sequence_last_value(seqrelid) is not null;
end $$;
set session_replication_role = replica;
set lock_timeout = '50ms'`

/**
 * Tries again if a lock takes 50 ms: a webhook of the previous test, for example, may wait for a lock of this transaction.
 * Postgres would break such a deadlock only after a second.
 */
async function empty(db: OpenDatabase['db']): Promise<void> {
  try {
    await sql`select pg_temp.empty()`.execute(db)
  } catch (error) {
    if (!hasCode(error, '55P03')) throw error
    await empty(db)
  }
}
