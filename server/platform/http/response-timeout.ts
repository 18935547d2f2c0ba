import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { PoolClient } from 'pg'
import {
  COMPLETION_UNKNOWN,
  CONNECTION_FAILURE,
  failure,
  type SuspendablePool,
} from '../database/connection-pool.ts'

/**
 * Limit for the wait for a connection and all statements on it together. Work between them does not count, such as the hash
 * of a password. A request that uses several connections, one after the other, can take longer.
 */
export const responseTimeoutMs = 1_500

/**
 * A view of a pool for requests that write. A commit waits for a standby without a limit: `statement_timeout` does not
 * end it, and its server process goes on waiting without a client. So a statement that is late fails here, but its
 * connection stays in use until the server responds or the pool is suspended. While all connections wait like that, further
 * requests fail immediately.
 */
export function limitResponseTime(pool: SuspendablePool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      if (pool.isStuck(responseTimeoutMs))
        throw failure(CONNECTION_FAILURE, 'All connections wait for a response.')
      const began = performance.now()
      const client = await pool.connect()
      const remainingMs = responseTimeoutMs - (performance.now() - began)
      return limitClient(client, remainingMs, () => pool.markLate(client))
    },
    end: async () => undefined, // The owner of the pool closes it.
  }
}

function limitClient(client: PoolClient, remainingMs: number, onLate: () => void): PostgresPoolClient {
  let late: Promise<unknown> | undefined
  const timeout = () => failure(COMPLETION_UNKNOWN, 'The database has not responded in time.')

  function query(text: string, values: unknown[]): Promise<unknown> {
    if (remainingMs <= 0) late ??= Promise.resolve()
    if (late) return Promise.reject(timeout())
    const began = performance.now()
    const response = client.query(text, values)
    return new Promise((resolve, reject) => {
      let isOver = false
      // If this process was busy, it first reads a response that has arrived in time.
      const timer = setTimeout(() => setImmediate(fail), remainingMs)
      function fail(): void {
        if (isOver) return
        late = response
        onLate()
        reject(timeout())
      }
      function end(): void {
        isOver = true
        remainingMs -= performance.now() - began
        clearTimeout(timer)
      }
      response.finally(end).then(resolve, reject)
    })
  }

  return {
    query: query as PostgresPoolClient['query'],
    release(destroy) {
      if (!late) return client.release(destroy)
      // Closing the connection rolls back a transaction that was not committed.
      late.catch(() => undefined).finally(() => client.release(true))
    },
  }
}
