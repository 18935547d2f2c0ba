import { isIP } from 'node:net'

/**
 * An address as Postgres' `inet` takes it: without its zone, and IPv4 as such, also where it comes dressed as IPv6
 * (`::ffff:192.0.2.1`). Null for what is none: a proxy may have written anything.
 */
export function normalizeIp(text: string | undefined): string | null {
  const ip = (text ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(ip) === 0 ? null : ip
}
