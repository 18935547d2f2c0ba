import { isIP, isIPv6 } from 'node:net'

/** Removes the zone, and converts IPv4-mapped IPv6 (`::ffff:192.0.2.1`) to IPv4. */
const toPlain = (ip: string): string => ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')

/** Returns an IP for a Postgres `inet` column, or null if it is invalid, because a proxy may send any text. */
export function normalizeIp(text = ''): string | null {
  const ip = toPlain(text)
  return isIP(ip) === 0 ? null : ip
}

/** Groups IPs for rate limits: IPv6 by /64, and IPv4-mapped IPv6 as IPv4. `wideNetwork` groups these further. */
export function groupIp(text: string): string {
  const ip = toPlain(text)
  if (!isIPv6(ip)) return ip
  // The URL parser writes IPv6 in its one canonical form, with embedded IPv4 as groups.
  const canonical = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const written = canonical.split(':').filter(Boolean)
  const zeros = `:${'0:'.repeat(8 - written.length)}`
  const groups = canonical.replace('::', zeros).split(':').filter(Boolean)
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** A provider gives one customer up to a /56, so the limit of a /56 is this many times the limit of a /64. */
export const wideNetworkFactor = 4

/** Returns the IPv6 /56 of a network by `groupIp`, with the rest of a key such as an email; null if it is not an IPv6 /64. */
export function wideNetwork(network: string): string | null {
  const [, prefix, last, rest = ''] = /^([\da-f:]+:)([\da-f]+)::\/64( .*)?$/s.exec(network) ?? []
  if (prefix === undefined || last === undefined) return null
  return `${prefix}${(Number.parseInt(last, 16) & 0xff00).toString(16)}::/56${rest}`
}
