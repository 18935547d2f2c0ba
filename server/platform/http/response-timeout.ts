import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { PoolClient } from 'pg'
import {
  COMPLETION_UNKNOWN,
  CONNECTION_FAILURE,
  failure,
  type SuspendablePool,
} from '../database/connection-pool.ts'
import { DEADLOCK_DETECTED } from '../database/database.ts'
import { hasCode } from '../errors.ts'

/**
 * Limit for all that a request does in the database: the waits for connections and all statements together. Work between
 * them does not count, such as the hash of a password or a call of the payment provider.
 */
export const responseTimeoutMs = 1_500

interface Budget {
  remainingMs: number
}

const current = new AsyncLocalStorage<Budget>()

/** Gives each request one limit for all connections that it uses. Elsewhere each use of a connection has its own. */
export function limitDatabaseTime(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    current.run({ remainingMs: responseTimeoutMs }, done)
  })
}

/** Counts a wait for the statements of other requests, such as a turn, against the limit of the request. */
export function countDatabaseTime(milliseconds: number): void {
  const budget = current.getStore()
  if (budget) budget.remainingMs -= milliseconds
}

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
      const budget = current.getStore() ?? { remainingMs: responseTimeoutMs }
      const noConnection = () => failure(CONNECTION_FAILURE, 'No connection was free in time.')
      if (budget.remainingMs <= 0) throw noConnection()
      const connecting = pool.connect()
      const client = await withinBudget(budget, connecting, () => {
        // The connection is for another request then.
        connecting.then(
          (unused) => unused.release(),
          () => undefined,
        )
        return noConnection()
      })
      return limitClient(client, budget, () => pool.markLate(client))
    },
    end: async () => undefined, // The owner of the pool closes it.
  }
}

function limitClient(client: PoolClient, budget: Budget, onLate: () => void): PostgresPoolClient {
  let late: Promise<unknown> | undefined
  const timeout = () => failure(COMPLETION_UNKNOWN, 'The database has not responded in time.')

  function query(text: string, values: unknown[]): Promise<unknown> {
    if (budget.remainingMs <= 0) late ??= Promise.resolve()
    if (late) return Promise.reject(timeout())
    const response = client.query(text, values)
    return withinBudget(budget, response, () => {
      late = response
      onLate()
      return timeout()
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

/** Returns the response, and counts its time. Throws the error of `onLate` if the budget is used up before it arrives. */
function withinBudget<Response>(
  budget: Budget,
  response: Promise<Response>,
  onLate: () => Error,
): Promise<Response> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    let isOver = false
    // If this process was busy, it first reads a response that has arrived in time.
    const timer = setTimeout(() => setImmediate(fail), budget.remainingMs)
    function end(error?: unknown): void {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      // A deadlock ends after a second. Its transaction is tried again, and needs the time for that.
      if (!hasCode(error, DEADLOCK_DETECTED)) budget.remainingMs -= performance.now() - began
    }
    function fail(): void {
      if (isOver) return
      end()
      budget.remainingMs = 0 // The timer may be a millisecond early.
      reject(onLate())
    }
    response.then(() => end(), end)
    response.then(resolve, reject)
  })
}
