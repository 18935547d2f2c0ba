import type { ClientBase, Pool, PoolClient } from 'pg'

const settings = {
  // As long as the data need.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  lock_timeout: '0',
  // How values are written must not depend on whose database it is.
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '3',
  // A policy that hides rows is an error, and no reason to leave them out.
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
 * Lends a connection, and destroys it in the end: what it had begun and not committed is undone.
 *
 * @param signal destroys it at once, whatever it is waiting for
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
