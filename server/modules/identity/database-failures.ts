import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { isDatabaseUnavailable } from '../../platform/errors.ts'

/** The first failure of the database during a call of better-auth. */
const current = new AsyncLocalStorage<{ failure?: unknown }>()

/** A view of a pool that records for `throwFailures` that the database is unavailable. */
export function recordFailures(pool: PostgresPool): PostgresPool {
  function record(error: unknown): never {
    const call = current.getStore()
    if (call && isDatabaseUnavailable(error)) call.failure ??= error
    throw error
  }
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch(record)
      const query = (text: string, values: unknown[]) => client.query(text, values).catch(record)
      return {
        query: query as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
      }
    },
    end: async () => undefined, // The owner of the pool closes it.
  }
}

/**
 * Makes the functions of better-auth throw the failure of the database if there was one. They would convert it to another
 * error, return that no one is signed in, or return a success.
 */
export function throwFailures<Api extends object>(api: Api): Api {
  const functions = Object.entries(api).map(([name, run]: [string, (...input: unknown[]) => unknown]) => [
    name,
    (...input: unknown[]) => {
      const call: { failure?: unknown } = {}
      return current.run(call, async () => {
        try {
          const result = await run(...input)
          if (call.failure) throw call.failure
          return result
        } catch (error) {
          throw call.failure ?? error
        }
      })
    },
  ])
  return Object.fromEntries(functions)
}
