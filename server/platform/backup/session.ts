import type { ClientBase, Pool, PoolClient } from 'pg'

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
