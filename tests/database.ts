import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { inject } from 'vitest'
import { createDatabase, type OpenDatabase } from '../server/platform/database.ts'
import { hasCode } from '../server/platform/startup-error.ts'

/** The schemas whose rows belong to a test. */
const schemas = ['public', 'identity', 'sandbox']

export interface TestDatabase extends OpenDatabase {
  url: string
  /** Removes every row but the record of migrations, and starts all counters again. */
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
  const database = createDatabase(url, { poolSize: options.poolSize ?? 10 })
  return {
    ...database,
    url,
    empty: () => empty(database.db),
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
  const admin = createDatabase(server, { poolSize: 1 })
  try {
    await sql.raw(statement).execute(admin.db)
  } finally {
    await admin.close()
  }
}

/**
 * Locks as a `truncate` would, so that what is in progress ends before; but deletes, in one statement, what is there: a
 * test leaves some rows in some tables, and a `truncate` makes some two hundred files again. Tables that have grown are
 * truncated all the same. What is only ever added to refuses to be emptied: triggers rest in the meantime.
 */
const emptying = `
do $$
declare
  tables constant text[] := array(
    select format('%I.%I', schemaname, tablename) from pg_tables
    where schemaname in (${schemas.map((name) => `'${name}'`).join(', ')}) and tablename <> 'migrations');
  filled text[] := '{}';
  place text;
  is_filled boolean;
  is_large boolean := false;
begin
  execute 'lock table ' || array_to_string(tables, ', ') || ' in share row exclusive mode';
  foreach place in array tables loop
    execute format('select exists (select from %s)', place) into is_filled;
    continue when not is_filled;
    filled := filled || place;
    is_large := is_large or pg_relation_size(place) > 1000000;
  end loop;
  if is_large then filled := tables; end if;
  foreach place in array filled loop execute format('alter table %s disable trigger user', place); end loop;
  if is_large then
    execute 'truncate ' || array_to_string(filled, ', ');
  elsif filled <> '{}' then
    execute (select 'with ' || string_agg(format('t%s as (delete from %s)', number, name), ', ') || ' select'
      from unnest(filled) with ordinality as parts (name, number));
  end if;
  foreach place in array filled loop execute format('alter table %s enable trigger user', place); end loop;
  perform setval(seqrelid, seqstart, false) from pg_sequence where pg_sequence_last_value(seqrelid) is not null;
end $$`

/** What the last test set in motion, such as a webhook, may hold a row here and want one there: it goes first. */
async function empty(db: OpenDatabase['db']): Promise<void> {
  try {
    await sql.raw(emptying).execute(db)
  } catch (error) {
    if (!hasCode(error, '40P01')) throw error
    await empty(db)
  }
}
