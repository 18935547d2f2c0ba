import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listen, stop } from '../../../tests/listen.ts'
import { fetchPublic, isPublicIp } from './fetch-public.ts'

let server: Server
let respond: RequestListener
let requests = 0
let port: number

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++
    respond(request, response)
  })
  port = await listen(server)
})
afterEach(() => {
  requests = 0
  server.closeAllConnections()
})
afterAll(() => stop(server))

const limits = { maxBytes: 1_000, timeoutMs: 2_000 }
const ownServer = { ...limits, isAllowed: (ip: string) => ip === '127.0.0.1' }

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.1.2.3',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'example.com',
  '',
])('%j is not a public IP', (ip) => {
  expect(isPublicIp(ip)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '192.0.3.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public IP',
  (ip) => {
    expect(isPublicIp(ip)).toBe(true)
  },
)

test.each([
  'http://127.0.0.1:{port}/',
  'http://localhost:{port}/',
  'http://2130706433:{port}/',
  'http://0x7f.1:{port}/',
  'http://0:{port}/',
  'http://[::1]:{port}/',
  'http://[::ffff:127.0.0.1]:{port}/',
  'http://[::ffff:7f00:1]:{port}/',
  'https://localhost:{port}/',
])('refuses %s before it sends a request', async (url) => {
  respond = (_request, response) => response.end('secret')
  await expect(fetchPublic(url.replace('{port}', `${port}`), limits)).rejects.toThrow('not_public')
  expect(requests).toBe(0)
})

test.each(['ftp://127.0.0.1/x', 'file:///etc/hostname', 'data:image/png;base64,AAAA', 'x'])(
  'refuses %s, which is not http or https',
  async (url) => {
    await expect(fetchPublic(url, ownServer)).rejects.toThrow('failed')
  },
)

test.each(['http://127.0.0.2:{port}/', 'http://[::1]:{port}/', '//10.0.0.1/', 'http://169.254.169.254/'])(
  'refuses a redirect to %s, which is checked again',
  async (location) => {
    respond = (_request, response) =>
      response.writeHead(302, { location: location.replace('{port}', `${port}`) }).end()
    await expect(fetchPublic(`http://127.0.0.1:${port}/`, ownServer)).rejects.toThrow('not_public')
    expect(requests).toBe(1)
  },
)

test('follows three redirects and returns the bytes, without credentials', async () => {
  let seen: unknown
  respond = ({ url = '', headers }, response) => {
    const hop = Number(url.slice(1))
    seen = [headers.authorization, headers.cookie, headers.referer]
    if (hop < 3) response.writeHead(301, { location: `/${hop + 1}` }).end()
    else response.end('picture')
  }
  const from = `http://user:password@localhost:${port}`
  const bytes = await fetchPublic(`${from}/0`, ownServer)
  expect(bytes.toString()).toBe('picture')
  expect(seen).toEqual([undefined, undefined, undefined])
  respond = ({ url = '' }, response) => response.writeHead(301, { location: `${url}x` }).end()
  await expect(fetchPublic(`${from}/x`, ownServer)).rejects.toThrow('failed')
})

test('a host without an address is unreachable, and does not end the process', async () => {
  await expect(fetchPublic('http://nowhere.invalid/', limits)).rejects.toThrow('unreachable')
})

test('stops a body above the limit, even if its length is not announced', async () => {
  respond = (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    }
    response.on('drain', write)
    write()
  }
  await expect(fetchPublic(`http://127.0.0.1:${port}/`, ownServer)).rejects.toThrow('too_large')
})

test('gives up a server that is silent, and one that stops partway', async () => {
  const hurried = { ...ownServer, timeoutMs: 200 }
  respond = () => undefined
  await expect(fetchPublic(`http://127.0.0.1:${port}/`, hurried)).rejects.toThrow('unreachable')
  respond = (_request, response) => void response.write('x')
  await expect(fetchPublic(`http://127.0.0.1:${port}/`, hurried)).rejects.toThrow('unreachable')
})

test('ends after the time limit, even if a byte arrives now and then', async () => {
  respond = (_request, response) => {
    const writing = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(writing))
  }
  const hurried = { ...ownServer, timeoutMs: 300 }
  await expect(fetchPublic(`http://127.0.0.1:${port}/`, hurried)).rejects.toThrow('unreachable')
})

test('limits the time of a connection, including its encryption', async () => {
  const silent = createTcpServer()
  const url = `https://127.0.0.1:${await listen(silent)}/`
  const patient = { ...ownServer, timeoutMs: 60_000, connectTimeoutMs: 200 }
  await expect(fetchPublic(url, patient)).rejects.toThrow('unreachable')
  silent.close()
})

test('a server that switches to another protocol is unreachable', async () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  const switching = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(upgrade))
  })
  const url = `http://127.0.0.1:${await listen(switching)}/`
  await expect(fetchPublic(url, { ...ownServer, timeoutMs: 200 })).rejects.toThrow('unreachable')
  switching.close()
})

test.each([
  [404, 'failed'],
  [429, 'unreachable'],
  [503, 'unreachable'],
])('reports the status %i as %s', async (status, problem) => {
  respond = (_request, response) => response.writeHead(status).end()
  await expect(fetchPublic(`http://127.0.0.1:${port}/`, ownServer)).rejects.toThrow(problem)
})
