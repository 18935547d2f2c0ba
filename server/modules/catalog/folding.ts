import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { foldCounts } from './repository.ts'

const interval = 10 * 60_000

/** Folds the summary of the catalogue, now and every ten minutes, so that it stays short. */
export function startFolding(db: Kysely<Database>, log: FastifyBaseLogger): { stop(): Promise<void> } {
  let round = Promise.resolve()
  const run = () => {
    round = round
      .then(() => foldCounts(db))
      .catch((error: unknown) => log.error({ err: error }, 'the counts of products could not be folded'))
  }
  run()
  const timer = setInterval(run, interval)
  return {
    stop() {
      clearInterval(timer)
      return round
    },
  }
}
