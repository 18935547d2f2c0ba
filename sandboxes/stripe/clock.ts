import { type RawBuilder, sql } from 'kysely'

/** A payment is processing for long enough to look at it on several pages. */
const decisionDelayMs = { payment: 120_000, refund: 30_000 }

/** Uses the clock of the database, which all processes share. */
export const fromNow = (ms: number): RawBuilder<Date> =>
  sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`

/** Returns when a payment or refund is decided automatically, unless a request decides it earlier. */
export const getDecisionTime = (what: keyof typeof decisionDelayMs): RawBuilder<Date> =>
  fromNow(decisionDelayMs[what])
