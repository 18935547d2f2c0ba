import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { AuthError } from './auth-errors.ts'
import { groupIp } from './client-ip.ts'
import { deriveKey } from './derived-key.ts'
import * as repository from './repository.ts'

/** So many tries in a window of so many seconds, counted from the first one. */
export interface Limit {
  max: number
  seconds: number
}

/** Each counts whatever the answer is, but for `failuresPerEmail`, which a success clears. */
export interface Limits {
  /** Every call below /idp. */
  callsPerIp: Limit
  signInsPerIp: Limit
  signUpsPerIp: Limit
  /** Wrong passwords for one email from browsers that never signed in with it; for each that did, apart. */
  failuresPerEmail: Limit
  signUpsPerEmail: Limit
  /** Letters for a forgotten password, whether or not there is such an account. */
  resetRequestsPerIp: Limit
  /** From browsers that never signed in with the email; for each that did, apart. */
  resetRequestsPerEmail: Limit
  /** Links of letters that someone follows, or makes up. */
  linksPerIp: Limit
  /** Letters that ask to confirm an email, beside the first. */
  verificationsPerEmail: Limit
}

/** Wide enough for an office behind one address, too narrow to guess passwords. */
export const defaultLimits: Limits = {
  callsPerIp: { max: 600, seconds: 60 },
  signInsPerIp: { max: 60, seconds: 300 },
  signUpsPerIp: { max: 30, seconds: 3600 },
  failuresPerEmail: { max: 10, seconds: 900 },
  signUpsPerEmail: { max: 10, seconds: 900 },
  resetRequestsPerIp: { max: 20, seconds: 3600 },
  resetRequestsPerEmail: { max: 5, seconds: 3600 },
  linksPerIp: { max: 30, seconds: 3600 },
  verificationsPerEmail: { max: 5, seconds: 3600 },
}

export interface RateLimiter {
  /** @throws Refusal TOO_MANY_REQUESTS once there are more than the limit allows */
  countIp(limit: keyof Limits, ip: string): Promise<void>
  /** Counts before the outcome is known, so that many tries at once do not slip through. */
  count(limit: keyof Limits, who: string): Promise<void>
  clear(limit: keyof Limits, who: string): Promise<void>
}

/** Counts in the database: all machines share the limits, and a restart does not lift them. */
export function openRateLimiter(pool: Pool, secret: string, limits: Limits): RateLimiter {
  const hashing = deriveKey(secret, 'rate limits')
  const toKey = (limit: keyof Limits, who: string) =>
    createHmac('sha256', hashing).update(`${limit} ${who}`).digest('base64url')

  async function count(limit: keyof Limits, who: string): Promise<void> {
    const { max, seconds } = limits[limit]
    const attempts = await repository.countAttempt(pool, toKey(limit, who), seconds)
    if (attempts.count > max)
      throw new AuthError('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, attempts.secondsLeft) })
  }

  return {
    count,
    countIp: (limit, ip) => count(limit, groupIp(ip)),
    clear: (limit, who) => repository.clearAttempts(pool, toKey(limit, who)),
  }
}
