import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { download, type Reach } from './service.ts'

/** Counts its connections. It must get none. */
let probe: Server
let connections = 0
/** A server that downloads may reach, at 127.0.0.1. A second probe has its port at 127.0.0.2. */
let allowed: Server
let secondProbe: Server
let respond: RequestListener = (_request, response) => response.end('picture')

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function listen(server: Server, port: number, host?: string) {
  server.listen(port, host)
  await once(server, 'listening')
}

beforeAll(async () => {
  const count = () => void connections++
  probe = createServer((_request, response) => response.end('secret')).on('connection', count)
  secondProbe = createServer((_request, response) => response.end('secret')).on('connection', count)
  allowed = createServer((request, response) => respond(request, response))
  // All addresses of this machine.
  await listen(probe, 0)
  await listen(allowed, 0, '127.0.0.1')
  await listen(secondProbe, portOf(allowed), '127.0.0.2')
})
afterEach(() => {
  respond = (_request, response) => response.end('picture')
  if (connections > 0) throw new Error(`the probe has counted ${connections} connections`)
})
afterAll(() => {
  for (const server of [probe, secondProbe, allowed]) server.close()
})

/** Returns the bytes as text, or the problem. The host of the URL is allowed. */
async function fetchFrom(url: string, reach: Reach, hosts = [new URL(url).hostname]): Promise<string> {
  return download(url, hosts, reach).then(String, (error: Error) => error.message)
}

/** Resolves these names, and no others. Each lookup has the next of several results. */
function resolveNames(names: Record<string, string[][]>): LookupFunction {
  const lookups: Record<string, number> = {}
  return (host, options, callback) => {
    const results = names[host] ?? []
    const number = (lookups[host] = (lookups[host] ?? 0) + 1)
    const found = results[Math.min(number, results.length) - 1] ?? []
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = addresses
    if (!first) callback(Object.assign(new Error(`no such host: ${host}`), { code: 'ENOTFOUND' }), [])
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  }
}

const privateHosts = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  'localhost',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fd00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

describe('a download connects to no private address', () => {
  test.each(privateHosts)('%s', async (host) => {
    const ports = [String(portOf(probe))]
    expect(await fetchFrom(`http://${host}:${ports[0]}/a.jpg`, { ports })).toBe('not_public')
    expect(await fetchFrom(`https://${host}:${ports[0]}/a.jpg`, { ports })).toBe('not_public')
  })

  test.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['10.0.0.1'], ['8.8.8.8', '127.0.0.1']])(
    'a name for %s',
    async (...addresses) => {
      const ports = [String(portOf(probe))]
      const lookup = resolveNames({ 'cdn.example': [addresses] })
      expect(await fetchFrom(`http://cdn.example:${ports[0]}/`, { ports, lookup })).toBe('not_public')
    },
  )

  test('nor to another port, nor with a password, nor by another protocol', async () => {
    const port = portOf(probe)
    const lookup = resolveNames({ 'cdn.example': [['127.0.0.1']] })
    const isAllowed = () => true
    expect(await fetchFrom(`http://cdn.example:${port}/`, { isAllowed, lookup })).toBe('other_host')
    expect(await fetchFrom(`http://cdn.example:${port}/`, { isAllowed, lookup, ports: ['22'] })).toBe(
      'other_host',
    )
    const ports = [String(port)]
    const reach = { isAllowed, lookup, ports }
    expect(await fetchFrom(`http://a:b@cdn.example:${port}/`, reach)).toBe('other_host')
    expect(await fetchFrom(`http://cdn.example:${port}/`, reach, ['example'])).toBe('other_host')
    expect(await fetchFrom(`http://cdn.example:${port}/`, reach, [])).toBe('other_host')
    for (const url of [`ftp://cdn.example:${port}/`, 'file:///etc/hostname', 'data:image/png;base64,AA']) {
      expect(await fetchFrom(url, reach)).toBe('failed')
    }
  })
})

describe('from an allowed server', () => {
  const names = {
    'cdn.example': [['127.0.0.1']],
    'private.example': [['127.0.0.2']],
    'rebinding.example': [['127.0.0.1'], ['127.0.0.2']],
    'both.example': [['127.0.0.1', '127.0.0.2']],
  }
  const openReach = (): Reach => ({
    isAllowed: (ip) => ip === '127.0.0.1',
    lookup: resolveNames(names),
    ports: [String(portOf(allowed))],
  })
  const toUrl = (host: string, path = '') => `http://${host}:${portOf(allowed)}/${path}`
  const hosts = [...Object.keys(names), '127.0.0.2']

  test('the connection uses the address that was checked, even if the name changes in between', async () => {
    const reach = openReach()
    expect(await fetchFrom(toUrl('rebinding.example'), reach)).toBe('picture')
    expect(await fetchFrom(toUrl('rebinding.example'), reach)).toBe('not_public')
    expect(await fetchFrom(toUrl('both.example'), reach)).toBe('not_public')
  })

  test.each([
    ['http://127.0.0.2:{port}/', 'not_public'],
    ['//127.0.0.2:{port}/', 'not_public'],
    ['http://private.example:{port}/', 'not_public'],
    ['http://both.example:{port}/', 'not_public'],
    ['http://127.0.0.1:{port}/', 'other_host'],
    ['http://localhost:{port}/', 'other_host'],
    ['http://[::1]:{port}/', 'other_host'],
    ['http://169.254.169.254/latest/', 'other_host'],
    ['http://cdn.example/', 'other_host'],
    ['http://a:b@cdn.example:{port}/', 'other_host'],
    ['http://other.example:{port}/', 'other_host'],
    ['file:///etc/passwd', 'failed'],
    ['http://[/', 'failed'],
    ['http://cdn.example:{port}/end', 'picture'],
    ['/end', 'picture'],
  ])('a redirect to %s: %s', async (location, expected) => {
    const target = location.replace('{port}', String(portOf(allowed)))
    respond = ({ url }, response) =>
      url === '/end' ? response.end('picture') : response.writeHead(302, { location: target }).end()
    expect(await fetchFrom(toUrl('cdn.example'), openReach(), hosts)).toBe(expected)
  })

  test('three redirects are followed, and no fourth', async () => {
    respond = ({ url = '' }, response) => {
      const left = Number(url.slice(1))
      if (left === 0) response.end('picture')
      else response.writeHead(301, { location: `/${left - 1}` }).end()
    }
    expect(await fetchFrom(toUrl('cdn.example', '3'), openReach())).toBe('picture')
    expect(await fetchFrom(toUrl('cdn.example', '4'), openReach())).toBe('failed')
  })

  test('a file of 13 MB ends the connection, whether its length is announced or not, and stays out of memory', async () => {
    for (const announced of [true, false]) {
      let sent = 0
      const before = process.memoryUsage().arrayBuffers
      let highest = before
      respond = (_request, response) => {
        response.writeHead(200, announced ? { 'content-length': 13_000_000 } : {})
        const megabyte = Buffer.alloc(1_000_000)
        const write = () => {
          while (!response.destroyed && sent < 100_000_000) {
            sent += megabyte.length
            highest = Math.max(highest, process.memoryUsage().arrayBuffers)
            if (!response.write(megabyte)) return
          }
        }
        response.on('drain', write)
        write()
      }
      expect(await fetchFrom(toUrl('cdn.example'), openReach())).toBe('too_large')
      // The buffers of both sockets hold the rest.
      expect(sent).toBeLessThan(announced ? 13_000_000 : 25_000_000)
      // With the memory of the server, which is in this process: a download may take 20 MB of it.
      expect(highest - before).toBeLessThan(32 * 2 ** 20)
    }
  })

  test('a file that comes with one byte per second ends at the time limit', async () => {
    respond = (_request, response) => {
      response.write('x')
      const writing = setInterval(() => response.write('x'), 1_000)
      response.on('close', () => clearInterval(writing))
    }
    const reach = { ...openReach(), timeoutMs: 1_500 }
    expect(await fetchFrom(toUrl('cdn.example'), reach)).toBe('unreachable')
  })

  test('the request asks for a file that is not compressed, without a cookie or a referrer', async () => {
    let seen: object = {}
    respond = ({ headers }, response) => {
      seen = headers
      response.end('picture')
    }
    await fetchFrom(toUrl('cdn.example'), openReach())
    expect(seen).toEqual({
      host: `cdn.example:${portOf(allowed)}`,
      accept: 'image/*',
      'accept-encoding': 'identity',
      connection: 'close',
    })
  })
})
