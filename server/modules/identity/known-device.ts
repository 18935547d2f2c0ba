import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './derived-key.ts'

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
