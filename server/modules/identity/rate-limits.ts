import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import { groupIp } from '../../platform/ip.ts'
import { deriveKey } from '../../platform/secrets.ts'
import { AuthError } from './auth-errors.ts'
import * as repository from './repository.ts'

/** Maximum attempts in a window of this length, which starts with the first attempt. */
export interface Limit {
  max: number
  seconds: number
}

/** Every attempt counts, except that a success clears `failuresPerEmail`. */
export interface Limits {
  /** Every call below /idp. */
  callsPerIp: Limit
  signInsPerIp: Limit
  signUpsPerIp: Limit
  /** Wrong passwords per email from unknown browsers. Each known browser has a separate count. */
  failuresPerEmail: Limit
  signUpsPerEmail: Limit
  /** Password reset requests, whether or not the account exists. */
  resetRequestsPerIp: Limit
  /** Requests per email from unknown browsers. Each known browser has a separate count. */
  resetRequestsPerEmail: Limit
  /** Uses of email links, including invalid ones. */
  linksPerIp: Limit
  /** Requests for another verification email after the first. */
  verificationsPerEmail: Limit
}

/** High enough for an office behind one IP, too low to guess passwords. */
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
  /** @throws AuthError TOO_MANY_REQUESTS above the limit */
  countIp(limit: keyof Limits, ip: string): Promise<void>
  /** Counts before the outcome is known, so that concurrent attempts cannot exceed the limit. */
  count(limit: keyof Limits, who: string): Promise<void>
  clear(limit: keyof Limits, who: string): Promise<void>
}

/** Counts in the database: all machines share the limits, and a restart does not reset them. */
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

/**
 * Device cookies (OWASP) for browsers that have signed in with an email; they grant no access. Failed attempts
 * elsewhere do not count against such a browser, so an attacker cannot lock the owner out.
 */
export interface KnownDevices {
  /** Returns the random name of the device, or null if it is not known for this email. */
  recognise(cookies: string | undefined, email: string): string | null
  /** Returns the Set-Cookie header that makes the device known. */
  remember(email: string): string
}

const yearSeconds = 365 * 24 * 60 * 60

export function createKnownDevices(options: {
  secret: string
  cookiePrefix: string
  path: string
  secure: boolean
}): KnownDevices {
  const key = deriveKey(options.secret, 'known device')
  const cookie = `${options.secure ? '__Secure-' : ''}${options.cookiePrefix}.known_device`
  const attributes = `Max-Age=${yearSeconds}; Path=${options.path}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`
  const deviceCookie = (name: string, email: string) =>
    createHmac('sha256', key).update(`${name} ${email}`).digest()

  return {
    recognise(cookies, email) {
      const value = toValue(cookies ?? '', cookie)
      const [name = '', given = ''] = value.split('~')
      const found = Buffer.from(given, 'base64url')
      const expected = deviceCookie(name, email)
      return found.length === expected.length && timingSafeEqual(found, expected) ? name : null
    },
    remember(email) {
      const name = randomBytes(12).toString('hex')
      return `${cookie}=${name}~${deviceCookie(name, email).toString('base64url')}; ${attributes}`
    },
  }
}

function toValue(cookies: string, name: string): string {
  const found = cookies.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? ''
}
