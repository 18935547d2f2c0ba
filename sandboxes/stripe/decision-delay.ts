const DECIDED_AFTER_MS = 30_000

/** When what takes time is decided, if no one asks for it sooner. */
export const someTimeLater = (): Date => new Date(Date.now() + DECIDED_AFTER_MS)
