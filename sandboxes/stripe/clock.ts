import { type RawBuilder, sql } from 'kysely'

const DECISION_DELAY_MS = 30_000

/** Uses the clock of the database, which all processes share. */
export const fromNow = (ms: number): RawBuilder<Date> =>
  sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`

/** Returns when a payment or refund is decided automatically, unless a request decides it earlier. */
export const getDecisionTime = (): RawBuilder<Date> => fromNow(DECISION_DELAY_MS)
