import { isIP } from 'node:net'

/**
 * Returns an IP for a Postgres `inet` column: without its zone, and IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as IPv4.
 * Returns null if it is invalid, because a proxy may send any text.
 */
export function normalizeIp(text: string | undefined): string | null {
  const ip = (text ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(ip) === 0 ? null : ip
}
