import { type ClientBase, escapeIdentifier, escapeLiteral, type Pool, type PoolClient } from 'pg'

/** The tables of a backup: those of the schemas, except the excluded ones. */
export interface Scope {
  schemas: readonly string[]
  /** Names such as `public.migrations`. */
  excludedTables: readonly string[]
}

export interface Table {
  /** For example `public.orders`. */
  name: string
  /** Quoted for SQL. */
  sql: string
  /** Start of `copy … to stdout` and `copy … from stdin`, with all columns that are not generated. */
  copy: string
}

export interface Sequence {
  /** Quoted for SQL, for example `"public"."order_events_id_seq"`. */
  sql: string
  lastValue: string
  isCalled: boolean
}

interface TableRow {
  schema: string
  name: string
  columns: string[]
  parents: string[]
}

/** Returns the tables of a backup. Each follows the tables that it references. */
export async function listTables(client: ClientBase, { schemas, excludedTables }: Scope): Promise<Table[]> {
  const { rows } = await client.query<TableRow>(
    `select n.nspname::text as schema, c.relname::text as name,
       array(select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select pn.nspname || '.' || p.relname from pg_constraint f
         join pg_class p on p.oid = f.confrelid join pg_namespace pn on pn.oid = p.relnamespace
         where f.conrelid = c.oid and f.contype = 'f') as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1) order by 1, 2`,
    [schemas],
  )
  const carried = rows.filter((row) => !excludedTables.includes(toName(row)))
  return parentsFirst(carried).map((row) => {
    const sql = `${escapeIdentifier(row.schema)}.${escapeIdentifier(row.name)}`
    return { name: toName(row), sql, copy: `copy ${sql} (${row.columns.map(escapeIdentifier).join(', ')})` }
  })
}

/** Returns the sequences with their current values. */
export async function listSequences(client: ClientBase, { schemas }: Scope): Promise<Sequence[]> {
  const { rows } = await client.query<{ sql: string }>(
    `select format('"%s"."%s"', n.nspname, c.relname) as sql
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = any($1) order by 1`,
    [schemas],
  )
  const sequences: Sequence[] = []
  for (const { sql } of rows) {
    const state = await client.query(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${sql}`,
    )
    sequences.push({ sql, ...state.rows[0] })
  }
  return sequences
}

/** Returns the statement that restores the value of a sequence. */
export function setSequence({ sql, lastValue, isCalled }: Sequence): string {
  return `select pg_catalog.setval(${escapeLiteral(sql)}, ${lastValue}, ${isCalled});`
}

const toName = ({ schema, name }: Pick<TableRow, 'schema' | 'name'>) => `${schema}.${name}`

function parentsFirst(rows: TableRow[]): TableRow[] {
  const placed: TableRow[] = []
  const waiting = new Map(rows.map((row) => [toName(row), row]))
  while (waiting.size > 0) {
    const ready = [...waiting].find(([name, { parents }]) =>
      parents.every((parent) => parent === name || !waiting.has(parent)),
    )
    if (!ready) throw new Error(`These tables have circular foreign keys: ${[...waiting.keys()].join(', ')}`)
    placed.push(ready[1])
    waiting.delete(ready[0])
  }
  return placed
}

const settings = {
  // Large tables take long.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
  // The text format of values must not depend on the database's settings.
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '3',
  // Fail instead of omitting rows that a policy hides.
  row_security: 'off',
}

/** Begins a transaction in which a backup is taken or restored. */
export async function beginUnlimited(client: ClientBase, mode = ''): Promise<void> {
  await client.query(`begin ${mode}`)
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`set local ${name} = '${value}'`)
  }
}

/**
 * Runs `work` on a connection and then closes it, which rolls back an open transaction.
 *
 * @param signal closes the connection immediately, even during a statement
 */
export async function onConnection<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  signal?: AbortSignal,
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
