import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './derived-key.ts'

/**
 * Marks browsers in which someone has signed in with an email before. Wrong passwords from elsewhere do not count
 * against them, so that no one can lock an owner out by failing on purpose (OWASP: device cookies).
 * The mark opens nothing by itself.
 */
export interface KnownDevices {
  /** The device's own name, or null if it is not known for this email. */
  recognise(cookies: string | undefined, email: string): string | null
  /** The Set-Cookie header that makes it known. */
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
