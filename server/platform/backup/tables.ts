import type { ClientBase, Pool, PoolClient } from 'pg'

/** The tables of a backup: all tables in these schemas, except the excluded ones. */
export interface Scope {
  schemas: readonly string[]
  /** Names such as `public.migrations`. */
  excludedTables: readonly string[]
  /** Tables that backups of earlier versions may lack. */
  addedTables?: readonly string[]
}

/** A table in the form that statements use: quoted where SQL needs it. */
export interface Table {
  /** For example `public.orders`. */
  name: string
  /** All columns that are not generated, separated by commas. */
  columns: string
}

/** Returns the tables of a backup. Each follows the tables that it references. */
export async function listTables(client: ClientBase, { schemas, excludedTables }: Scope): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `with recursive levels as (
       select oid, 0 as level from pg_class where relkind = 'r'
       union
       select f.conrelid, level + 1 from levels join pg_constraint f on f.confrelid = levels.oid
       where f.contype = 'f' and f.conrelid <> f.confrelid and level < 100
     )
     select format('%I.%I', n.nspname, c.relname) as name,
       (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from levels join pg_class c using (oid) join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) group by c.oid, n.nspname, c.relname order by max(level), n.nspname, c.relname`,
    [schemas],
  )
  return rows.filter(({ name }) => !excludedTables.includes(name))
}

/** Begins a transaction in which a backup is taken or restored. */
export async function beginUnlimited(client: ClientBase, mode = ''): Promise<void> {
  // Large tables take long, the text of values must not depend on the settings of the database, and a policy that hides
  // rows is an error.
  await client.query(
    `begin ${mode};
     set local statement_timeout = 0;
     set local idle_in_transaction_session_timeout = 0;
     set local lock_timeout = 0;
     set local datestyle = 'ISO';
     set local intervalstyle = 'postgres';
     set local timezone = 'UTC';
     set local extra_float_digits = 3;
     set local row_security = off`,
  )
}

/**
 * Runs `work` on a connection and then closes it, which rolls back an open transaction.
 *
 * @param signal closes the connection immediately, even during a statement
 */
export async function onConnection<Result>(
  pool: Pool,
  signal: AbortSignal | undefined,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const stop = () => void client.end()
  signal?.addEventListener('abort', stop)
  try {
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', stop)
    client.release(true)
  }
}
