import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { hasCode } from './startup-error.ts'

/**
 * Postgres gave this up so that others could go on: a deadlock, a serialization failure. All of it is rolled back.
 * A lost connection is not among them: no one knows what came of that.
 */
const transientCodes = ['40P01', '40001']
const maxAttempts = 4

/**
 * Does work again that Postgres gave up. The work is one statement, or one whole transaction, and touches nothing but
 * the database. Inside of a transaction nothing is repeated: it is the whole of it that was rolled back.
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

/** A transaction, begun again where Postgres gave it up: `work` may run again, and must touch nothing but `tx`. */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return retryTransient(db, () => db.transaction().execute(work))
}
