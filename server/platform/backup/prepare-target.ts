import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { hasCode, StartupError } from '../errors.ts'
import { listTables, type Scope } from './tables.ts'

const lockTimeoutMs = 60_000
/** Shorter than Postgres' deadlock timeout of 1 s, so that a deadlock never aborts an order. */
const ATTEMPT = '200ms'

/**
 * Locks all tables exclusively until the transaction ends. It takes all locks or releases them and retries, which
 * prevents deadlocks.
 *
 * @throws StartupError if the tables are still in use after one minute
 */
export async function lockTables(client: ClientBase, scope: Scope, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    signal?.throwIfAborted()
    const tables = await listTables(client, { ...scope, excludedTables: [] })
    if (tables.length === 0) return
    await client.query('savepoint locking')
    await client.query(`set local lock_timeout = '${ATTEMPT}'`)
    try {
      await client.query(`lock table ${tables.map(({ sql }) => sql).join(', ')} in access exclusive mode`)
      await client.query('set local lock_timeout = 0')
      return
    } catch (error) {
      if (!['55P03', '42P01'].some((code) => hasCode(error, code))) throw error
      await client.query('rollback to savepoint locking')
    }
    if (Date.now() > deadline) {
      throw new StartupError(
        'Another process, such as a backup, keeps the tables locked. Nothing was changed. Wait until it has ended, then restore again.',
      )
    }
    await delay(100)
  }
}

/**
 * Reports the rows that will be replaced.
 *
 * @throws StartupError if there are rows and `replace` is false
 */
export async function requireReplaceable(
  client: ClientBase,
  { scope, replace, onProgress }: { scope: Scope; replace: boolean; onProgress: (message: string) => void },
): Promise<void> {
  const counts: string[] = []
  for (const { name, sql } of await listTables(client, scope)) {
    const { rows } = await client.query(`select count(*) as count from ${sql}`)
    if (Number(rows[0].count) > 0) counts.push(`${name} ${rows[0].count}`)
  }
  if (counts.length === 0) return
  if (replace) return onProgress(`Replacing the current rows: ${counts.join(', ')}.`)
  throw new StartupError(
    `The database is not empty (${counts.join(', ')}). Restore into an empty one, or add --replace to delete these rows.`,
  )
}

/**
 * Recreates the schemas.
 *
 * @throws StartupError if they contained tables or views that are not the shop's
 */
export async function requireShopAlone(
  client: ClientBase,
  { schemas }: Scope,
  remake: () => Promise<void>,
): Promise<void> {
  const before = await listRelations(client, schemas)
  await remake()
  const after = await listRelations(client, schemas)
  const otherTables = before.filter((name) => !after.includes(name))
  if (otherTables.length === 0) return
  throw new StartupError(
    `The database has other tables (${otherTables.join(', ')}), which a restore would delete. Move them to another database, then restore again.`,
  )
}

async function listRelations(client: ClientBase, schemas: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any($1) order by 1`,
    [schemas],
  )
  return rows.map(({ name }) => name)
}
