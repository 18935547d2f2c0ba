import { rawHead } from '../../raw-http.ts'
import type { Random } from '../random.ts'
import { texts } from './horrors.ts'

/** Bytes for the wire, and the path by which an answer to them is judged. */
export interface RawAttack {
  path: string
  bytes: Buffer
}

const pages = [
  '/',
  '/products',
  '/reviews',
  '/login',
  '/purchase/x',
  '/product/x/y',
  '/__manifest',
  '/products.data',
]
const doors = ['/idp/token', '/idp/jwks', '/idp/callback/google-sandbox', '/idp/popup', '/idp/popup/done']
const sandbox = [
  '/sandbox/payments/v1/payment_intents/pi_1',
  '/sandbox/payments/stripe.js',
  '/sandbox/google/authorize',
]
const files = [
  '/pictures/helmet-full-face.svg',
  '/pictures/x/aabbcc.svg',
  '/assets/x.js',
  '/robots.txt',
  '/sitemap.xml',
]
const calls = [
  '/api/products',
  '/api/product/x',
  '/api/v1/products/facets',
  '/api/order',
  '/api/user',
  '/healthz',
]
const reads = [...pages, ...doors, ...sandbox, ...files, ...calls]

const writes: [method: string, path: string][] = [
  ['POST', '/api/confirm-purchase'],
  ['PUT', '/api/create-user/rider@example.com'],
  ['POST', '/api/add-review'],
  ['POST', '/api/v1/payments/webhook'],
  ['POST', '/api/v1/pictures'],
  ['POST', '/idp/sign-in/email'],
  ['POST', '/idp/sign-up/email'],
  ['POST', '/sandbox/payments/v1/payment_intents/pi_1/confirm'],
  ['POST', '/sandbox/google/token'],
]

/** As they stand in an address, before and after any decoding. */
const escapes = [
  ...[
    '%00',
    '%0d%0aX-Injected:%201',
    '%0aSet-Cookie:%20a=b',
    '%ff%fe',
    '%c0%ae%c0%ae',
    '%ed%a0%80',
    '%zz',
    '%',
    '%u0041',
  ],
  ...[
    '..',
    '../../../../etc/passwd',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/',
    '%252e%252e%252f',
    '..%5c..%5c',
  ],
  ...[
    '//',
    '/./',
    ';',
    '?',
    '#',
    '*',
    '[',
    ']',
    '{}',
    '|',
    '`',
    '"',
    '~',
    '.data',
    '.json',
    'index.html',
    '%20',
  ],
  ...["'%20or%201=1--", "'%3bselect%20pg_sleep(10)--", '%3Cscript%3Ealert(1)%3C/script%3E', '%3Cx-probe%3E'],
  ...[
    '-1',
    '0',
    '2147483648',
    '9223372036854775808',
    '1e308',
    'NaN',
    '0x10',
    '%EF%BC%91',
    'a'.repeat(300),
    'a'.repeat(3_000),
  ],
  ...[
    '[]=1',
    '[__proto__][x]=1',
    '__proto__',
    'constructor.prototype',
    'a&'.repeat(40),
    '%F0%9F%8F%8D',
    'e\u0301',
  ],
]

const headerNames = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Cookie',
    'Content-Type',
    'Content-Length',
  ],
  ...[
    'Expect',
    'Host',
    'Idempotency-Key',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'Origin',
    'Range',
    'Referer',
  ],
  ...[
    'Sec-Fetch-Mode',
    'Stripe-Signature',
    'Transfer-Encoding',
    'Upgrade',
    'User-Agent',
    'X-Forwarded-For',
    'X-Forwarded-Host',
  ],
  ...[
    'X-Forwarded-Proto',
    'X-HTTP-Method-Override',
    'X-Original-URL',
    'Content-Encoding',
    'Connection',
    'Forwarded',
  ],
]

const headerValues = [
  ...[
    '',
    'x',
    '*',
    'null',
    '-1',
    '0',
    '99999999999999999999',
    'bytes=0-',
    'bytes=-1,0-,5-4',
    'W/"x", *',
    'chunked, gzip',
  ],
  ...[
    'Bearer',
    'Bearer ',
    'Bearer x.y.z',
    'Basic Og==',
    'websocket',
    '100-continue',
    'gzip;q=99, br;q=-1, *;q=0',
  ],
  ...[
    'multipart/form-data',
    'application/json; charset=utf-16',
    'text/html',
    ';;;',
    'a=b; a=c; __proto__=d',
    '% 00',
  ],
  ...[
    't=1,v1=',
    '127.0.0.1',
    '::1, 1.2.3.4, x',
    "' or 1=1--",
    '<x-probe>',
    '\u00ff\u00fe',
    '\t\t',
    'x'.repeat(8_000),
  ],
  ...[
    'https://evil.example',
    'http://localhost@evil.example',
    'evil.example:0',
    'a, '.repeat(500),
    '\u0000',
    '\u001b[2J',
  ],
]

const bodies: Buffer[] = [
  ...[
    '',
    '{',
    '{"a":}',
    'null',
    '[]',
    '0',
    '"x"',
    '{}',
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"a":1}}}',
  ],
  ...[
    '{"a":1}{"b":2}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1e400}',
    '{"a":"\\u0000"}',
    '{"email":"a@b.de","password":"x\\ud800xxxxx"}',
  ],
  ...[
    '['.repeat(40_000),
    `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`,
    JSON.stringify({ a: 'x'.repeat(99_000) }),
  ],
  ...[
    JSON.stringify({ a: 'x'.repeat(200_000) }),
    `{${'"a":1,'.repeat(10_000)}"b":2}`,
    '\ufeff{}',
    'a=b&a[b]=c&__proto__[d]=e',
  ],
  ...['a=%00&b=%ff', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--'],
].map((text) => Buffer.from(text))
bodies.push(
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  Buffer.alloc(5_000),
)

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  '',
]

/** Any attack that no HTTP client would send. */
export function anyRawAttack(random: Random): RawAttack {
  const kind = random.below(10)
  if (kind < 4) return addressAttack(random)
  if (kind < 6) return headerAttack(random)
  if (kind < 9) return bodyAttack(random)
  return wireAttack(random)
}

function addressAttack(random: Random): RawAttack {
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
    '_routes',
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
  return attackOf(method, target, [ownAddress(random)])
}

function headerAttack(random: Random): RawAttack {
  const header = `${random.pick(headerNames)}: ${random.pick(headerValues)}`
  const headers = [ownAddress(random), header, ...(random.chance(0.2) ? [header] : [])]
  if (random.chance(0.5)) return attackOf('GET', random.pick(reads), headers)
  const [method, path] = random.pick(writes)
  return attackOf(method, path, [...headers, 'Content-Length: 2'], Buffer.from('{}'))
}

function bodyAttack(random: Random): RawAttack {
  const [method, path] = random.pick(writes)
  const body = random.pick(bodies)
  const type = random.pick(types)
  const headers = [
    ownAddress(random),
    `Content-Length: ${body.length}`,
    ...(type ? [`Content-Type: ${type}`] : []),
  ]
  if (random.chance(0.7)) headers.push('Origin: ORIGIN')
  return attackOf(method, path, headers, body)
}

const wire: string[] = [
  'GET\r\n\r\n',
  'GET / HTTP/0.9\r\n\r\n',
  'GET / HTTP/3.0\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
  'G\u00c4T / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET / HTTP/1.1\r\n Host: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n',
  'GET / HTTP/1.1\nHost: x\nConnection: close\n\n',
  'GET http://evil.example/api/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET //evil.example/..%2f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /api/add-review HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n\r\n',
  'POST /api/add-review HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nfffffffffffffffff\r\n',
  'POST /api/add-review HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
  'POST /api/add-review HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3\r\n\r\n',
  'POST /api/add-review HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'A'.repeat(40_000)}: b\r\n\r\n`,
  `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
]

const wireAttack = (random: Random): RawAttack => ({
  path: '/',
  bytes: Buffer.from(random.pick(wire), 'latin1'),
})

/** A caller of its own each time: how often one address may call is not what is tried here. */
const ownAddress = (random: Random) =>
  `X-Forwarded-For: 10.${random.below(256)}.${random.below(256)}.${random.below(256)}`

function attackOf(method: string, target: string, headers: string[], body?: Buffer): RawAttack {
  const head = Buffer.from(rawHead(method, target, headers), 'latin1')
  return { path: target, bytes: body ? Buffer.concat([head, body]) : head }
}
