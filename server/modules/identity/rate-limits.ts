import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { tooManyAttempts } from '../../../contract/waiting-time.ts'
import type { Database } from '../../../db/schema.ts'
import { ShopError } from '../../platform/errors.ts'
import { groupIp, wideNetwork, wideNetworkFactor } from '../../platform/http/ip.ts'
import { deriveKey, deriveKeys, isSameSignature, type Secrets } from '../../platform/secrets/secrets.ts'
import { basePath, cookiePrefix } from './better-auth.ts'
import * as repository from './repository.ts'

/**
 * Maximum attempts in a window of this length, which starts with the first attempt: high enough for an office behind
 * one IP, too low to guess passwords. Every attempt counts, except that a success clears the counts of failures.
 */
export const defaultLimits = {
  /** Every call below /idp. */
  callsPerIp: { max: 600, seconds: 60 },
  signInsPerIp: { max: 60, seconds: 300 },
  signUpsPerIp: { max: 30, seconds: 3600 },
  /** Wrong passwords per email from one network. Each known browser has a separate count. */
  failuresPerNetwork: { max: 10, seconds: 900 },
  /** Wrong passwords per email from all unknown browsers: much higher, because it locks the owner out of a new browser. */
  failuresPerEmail: { max: 100, seconds: 900 },
  signUpsPerEmail: { max: 10, seconds: 900 },
  /** Password reset requests, whether or not the account exists. */
  resetRequestsPerIp: { max: 20, seconds: 3600 },
  /** Requests per email from unknown browsers. Each known browser has a separate count. */
  resetRequestsPerEmail: { max: 5, seconds: 3600 },
  /** Uses of email links, including invalid ones. */
  linksPerIp: { max: 30, seconds: 3600 },
  /** Requests for another verification email after the first. */
  verificationsPerEmail: { max: 5, seconds: 3600 },
  /** Emails about unpaid orders to an unverified email. */
  unpaidOrderEmailsPerEmail: { max: 10, seconds: 24 * 3600 },
  photosPerCustomer: { max: 20, seconds: 3600 },
  reviewsPerCustomer: { max: 5, seconds: 24 * 3600 },
  reviewsPerIp: { max: 5, seconds: 24 * 3600 },
}

export type Limits = typeof defaultLimits

export type RateLimiter = ReturnType<typeof openRateLimiter>

/**
 * Counts in the database: all machines share the limits, and a restart does not reset them. Another secret does, because
 * the keys are hashed with it.
 */
export function openRateLimiter(db: Kysely<Database>, secret: string, limits: Limits) {
  const hashing = deriveKey(secret, 'rate limits')
  const toKey = (limit: keyof Limits, who: string) =>
    createHmac('sha256', hashing).update(`${limit} ${who}`).digest('base64url')

  /** An IPv6 /64 counts for its /56 too, which has a higher limit. */
  function listCounters(limit: keyof Limits, who: string): { key: string; max: number; seconds: number }[] {
    const { max, seconds } = limits[limit]
    const wide = wideNetwork(who)
    return [
      { key: toKey(limit, who), max, seconds },
      ...(wide ? [{ key: toKey(limit, wide), max: max * wideNetworkFactor, seconds }] : []),
    ]
  }

  /**
   * Counts before the outcome is known, so that concurrent attempts cannot exceed the limit.
   * @throws TOO_MANY_REQUESTS above the limit
   */
  async function count(limit: keyof Limits, who: string): Promise<void> {
    const seconds = await countIn(db, limit, who)
    if (seconds > 0) throw tooManyRequests(seconds)
  }

  /** As `allows`, but returns the seconds to wait: 0 up to the limit. */
  async function countIn(tx: Kysely<Database>, limit: keyof Limits, who: string): Promise<number> {
    for (const { key, max, seconds } of listCounters(limit, who)) {
      const attempts = await repository.countAttempt(tx, key, seconds)
      if (attempts.count > max) return Math.max(1, attempts.secondsLeft)
    }
    return 0
  }

  return {
    limits,
    count,
    countIp: (limit: keyof Limits, ip: string) => count(limit, groupIp(ip)),
    /**
     * Counts in the caller's transaction, so a rollback undoes it. Locks the counter until the transaction ends.
     *
     * @returns false above the limit
     */
    async allows(tx: Kysely<Database>, limit: keyof Limits, who: string): Promise<boolean> {
      return (await countIn(tx, limit, who)) === 0
    },
    countIn,
    /** Whether the limit is reached, without counting an attempt. */
    async isFull(limit: keyof Limits, who: string): Promise<boolean> {
      for (const { key, max } of listCounters(limit, who))
        if ((await repository.countAttempts(db, key)) >= max) return true
      return false
    },
    clear: (limit: keyof Limits, who: string, tx: Kysely<Database> = db) =>
      repository.clearAttempts(tx, toKey(limit, who)),
  }
}

/** @param retryAfter seconds to wait, also part of the message */
export const tooManyRequests = (retryAfter: number): ShopError =>
  new ShopError('TOO_MANY_REQUESTS', { retryAfter, details: { message: tooManyAttempts(retryAfter) } })

const yearSeconds = 365 * 24 * 60 * 60

export type KnownDevices = ReturnType<typeof createKnownDevices>

/**
 * Device cookies (OWASP) for browsers that have signed in with an email; they grant no access. Failed attempts
 * elsewhere do not count against such a browser, so an attacker cannot lock the owner out.
 */
export function createKnownDevices(secrets: Secrets, origin: string) {
  const keys = deriveKeys(secrets, 'known device')
  const isSecure = origin.startsWith('https:')
  const cookie = `${isSecure ? '__Secure-' : ''}${cookiePrefix(origin)}.known_device`
  const attributes = `Max-Age=${yearSeconds}; Path=${basePath}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const signWith = (key: Buffer, name: string, email: string) =>
    `${name}~${createHmac('sha256', key).update(`${name} ${email}`).digest('base64url')}`

  return {
    /** Returns the random name of the device, or the email if the device is not known for it. */
    toRateLimitKey(cookies: string | undefined, email: string): string {
      const pair = cookies?.split(/;\s*/).find((each) => each.startsWith(`${cookie}=`))
      const given = pair?.slice(cookie.length + 1) ?? ''
      const name = given.split('~')[0] ?? ''
      return keys.some((key) => isSameSignature(given, signWith(key, name, email))) ? name : email
    },
    /** Returns the Set-Cookie header that makes the device known. */
    remember: (email: string): string =>
      `${cookie}=${signWith(keys[0], randomBytes(12).toString('hex'), email)}; ${attributes}`,
  }
}
