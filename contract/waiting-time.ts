import { pluralize } from './plurals.ts'

/** Formats a waiting time, rounded up: `5 seconds`, `15 minutes`, `1 hour`. */
export function formatWaitingTime(seconds: number): string {
  if (seconds <= 59) return pluralize(Math.ceil(seconds), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? pluralize(minutes, 'minute') : pluralize(Math.ceil(minutes / 60), 'hour')
}

/** @param retryAfter seconds to wait, if the server sent them */
export const tooManyAttempts = (retryAfter: number | undefined): string =>
  `Too many attempts. Try again ${formatRetry(retryAfter)}.`

/** @param retryAfter seconds to wait, if the server sent them */
export const tooManyCodes = (retryAfter: number | undefined): string =>
  `Too many codes were tried. Order without a code, or try again ${formatRetry(retryAfter)}.`

const formatRetry = (retryAfter: number | undefined): string =>
  retryAfter ? `in ${formatWaitingTime(retryAfter)}` : 'later'
