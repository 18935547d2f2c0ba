import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { hasCode } from './startup-error.ts'

/**
 * Deadlock and serialization failure: Postgres has rolled back the transaction. Lost connections are excluded, because
 * the commit may have succeeded.
 */
const transientCodes = ['40P01', '40001']
const maxAttempts = 4

/**
 * Retries a statement or a whole transaction after a deadlock. It must have no side effects outside the database.
 * Within a transaction it does not retry, because the whole transaction is rolled back.
 */
export async function retryTransient<Result>(
  db: Kysely<Database>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      const isGivenUp = transientCodes.some((code) => hasCode(error, code))
      if (!isGivenUp || db.isTransaction || attempts === maxAttempts) throw error
    }
  }
}

/** Runs a transaction and retries it after a deadlock. `work` may run again, so it must only use `tx`. */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return retryTransient(db, () => db.transaction().execute(work))
}
