const DECISION_DELAY_MS = 30_000

/** Returns when a payment or refund is decided automatically, unless a request decides it earlier. */
export const getDecisionTime = (): Date => new Date(Date.now() + DECISION_DELAY_MS)
