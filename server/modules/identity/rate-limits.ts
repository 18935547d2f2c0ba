import { createHmac } from 'node:crypto'
import type { Pool } from 'pg'
import { Refusal } from './auth-errors.ts'
import { addressGroup } from './client-ip.ts'
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
  callsPerAddress: Limit
  signInsPerAddress: Limit
  signUpsPerAddress: Limit
  /** Wrong passwords for one e-mail from browsers that never signed in with it; for each that did, apart. */
  failuresPerEmail: Limit
  signUpsPerEmail: Limit
  /** Letters for a forgotten password, whether or not there is such an account. */
  resetRequestsPerAddress: Limit
  /** From browsers that never signed in with the e-mail; for each that did, apart. */
  resetRequestsPerEmail: Limit
  /** Links of letters that somebody follows, or makes up. */
  linksPerAddress: Limit
  /** Letters that ask to confirm an e-mail, beside the first. */
  verificationsPerEmail: Limit
}

/** Wide enough for an office behind one address, too narrow to guess passwords. */
export const defaultLimits: Limits = {
  callsPerAddress: { max: 600, seconds: 60 },
  signInsPerAddress: { max: 60, seconds: 300 },
  signUpsPerAddress: { max: 30, seconds: 3600 },
  failuresPerEmail: { max: 10, seconds: 900 },
  signUpsPerEmail: { max: 10, seconds: 900 },
  resetRequestsPerAddress: { max: 20, seconds: 3600 },
  resetRequestsPerEmail: { max: 5, seconds: 3600 },
  linksPerAddress: { max: 30, seconds: 3600 },
  verificationsPerEmail: { max: 5, seconds: 3600 },
}

export interface Tries {
  /** @throws Refusal TOO_MANY_REQUESTS once there are more than the limit allows */
  countAddress(limit: keyof Limits, address: string): Promise<void>
  /** Counts before the outcome is known, so that many tries at once do not slip through. */
  count(limit: keyof Limits, who: string): Promise<void>
  forget(limit: keyof Limits, who: string): Promise<void>
}

/** Counts in the database: all machines share the limits, and a restart does not lift them. */
export function openTries(pool: Pool, secret: string, limits: Limits): Tries {
  const hashing = deriveKey(secret, 'tries')
  const keyOf = (limit: keyof Limits, who: string) =>
    createHmac('sha256', hashing).update(`${limit} ${who}`).digest('base64url')

  async function count(limit: keyof Limits, who: string): Promise<void> {
    const { max, seconds } = limits[limit]
    const tries = await repository.countTry(pool, keyOf(limit, who), seconds)
    if (tries.count > max)
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, tries.secondsLeft) })
  }

  return {
    count,
    countAddress: (limit, address) => count(limit, addressGroup(address)),
    forget: (limit, who) => repository.forgetTries(pool, keyOf(limit, who)),
  }
}
