import { isIP, isIPv6 } from 'node:net'

/**
 * Returns an IP for a Postgres `inet` column: without its zone, and IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as IPv4.
 * Returns null if it is invalid, because a proxy may send any text.
 */
export function normalizeIp(text: string | undefined): string | null {
  const ip = (text ?? '').replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(ip) === 0 ? null : ip
}

/** Groups IPs for rate limits: IPv6 by /64, and IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as IPv4. */
export function groupIp(ip: string): string {
  const plain = ip.replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  return mapped ?? `${firstGroups(plain, 4).join(':')}::/64`
}

function firstGroups(ip: string, count: number): string[] {
  // The URL parser writes IPv6 in its one canonical form, with embedded IPv4 as groups.
  const canonical = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].slice(0, count)
}
