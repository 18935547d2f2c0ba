import { rawHead } from '../../raw-http.ts'
import type { Random } from '../random.ts'
import { texts } from './hostile-values.ts'
import { bodies, escapes, headerNames, headerValues, reads, types, wire, writes } from './raw-data.ts'

/** The bytes of a request, and the path that decides which rules its response must follow. */
export interface RawAttack {
  path: string
  bytes: Buffer
}

/** Returns a random request that HTTP clients would not send. */
export function anyRawAttack(random: Random): RawAttack {
  const kind = random.below(10)
  if (kind < 4) return urlAttack(random)
  if (kind < 6) return headerAttack(random)
  if (kind < 9) return bodyAttack(random)
  return wireAttack(random)
}

function urlAttack(random: Random): RawAttack {
  const path = random.pick(reads)
  const attack = random.chance(0.3)
    ? encodeURIComponent(random.pick(texts).toWellFormed())
    : random.pick(escapes)
  const name = random.pick([
    'q',
    'id',
    'email',
    'page',
    'sort',
    'p',
    'code',
    'state',
    'client_secret',
    attack,
  ])
  const target = random.pick([
    `${path}/${attack}`,
    `${path}?${name}=${attack}`,
    `${path}${attack}`,
    `/${attack}${path}`,
  ])
  const method = random.chance(0.8)
    ? 'GET'
    : random.pick(['HEAD', 'OPTIONS', 'POST', 'DELETE', 'TRACE', 'PURGE'])
  const headers = [ownUrl(random), ...(random.chance(0.5) ? [authorization(path)] : [])]
  return toAttack(method, target, headers)
}

function headerAttack(random: Random): RawAttack {
  const header = `${random.pick(headerNames)}: ${random.pick(headerValues)}`
  const headers = [ownUrl(random), header, ...(random.chance(0.2) ? [header] : [])]
  if (random.chance(0.5)) return toAttack('GET', random.pick(reads), headers)
  const [method, path] = random.pick(writes)
  return toAttack(method, path, [...headers, 'Content-Length: 2'], Buffer.from('{}'))
}

function bodyAttack(random: Random): RawAttack {
  const [method, path] = random.pick(writes)
  const body = random.pick(bodies)
  const type = random.pick(types)
  const headers = [
    ownUrl(random),
    `Content-Length: ${body.length}`,
    ...(type ? [`Content-Type: ${type}`] : []),
  ]
  if (random.chance(0.7)) headers.push('Origin: {origin}')
  if (random.chance(0.7)) headers.push(authorization(path))
  return toAttack(method, path, headers, body)
}

const wireAttack = (random: Random): RawAttack => ({
  path: '/',
  bytes: Buffer.from(random.pick(wire), 'latin1'),
})

/** A random client IP, so that the rate limits do not reject the attack. */
const ownUrl = (random: Random) =>
  `X-Forwarded-For: 10.${random.below(256)}.${random.below(256)}.${random.below(256)}`

/** Credentials that fit the path. `sendRawAttack` replaces the placeholders in braces. */
const authorization = (path: string): string =>
  `Authorization: Bearer ${path.startsWith('/sandbox') ? '{key}' : '{token}'}`

function toAttack(method: string, target: string, headers: string[], body?: Buffer): RawAttack {
  const head = Buffer.from(rawHead(method, target, headers), 'latin1')
  return { path: target, bytes: body ? Buffer.concat([head, body]) : head }
}
