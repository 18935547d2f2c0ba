import { createHmac, randomBytes } from 'node:crypto'
import { deriveKeys, isSameSignature, type Secrets } from '../../platform/secrets/secrets.ts'
import { basePath, cookiePrefix } from './better-auth.ts'

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
