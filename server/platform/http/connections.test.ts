import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { errors } from '../../../contract/errors.ts'
import { rawHead, sendRaw } from '../../../tests/raw-http.ts'
import { allowTime, handleClientError, limitConnections, limitUnread, trackResponses } from './connections.ts'
import { limitBodies, limitLoad, takeUpload } from './request-limits.ts'

let app: FastifyInstance

beforeAll(async () => {
  app = Fastify({
    requestTimeout: 100,
    http: { headersTimeout: 100, connectionsCheckingInterval: 20 },
    clientErrorHandler: handleClientError,
  })
  trackResponses(app)
  app.get('/at-once', (_request, reply) => reply.send('done'))
  app.post('/usual', async () => 'done')
  app.post('/patient', { preParsing: async (request) => allowTime(request, 60_000) }, async () => 'done')
  app.post('/less-patient', { preParsing: async (request) => allowTime(request, 300) }, async () => 'done')
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

/** Opens a connection and sends an incomplete request. */
function begin(text: string, server = app) {
  const socket = connect(getPort(server), '127.0.0.1')
  socket.write(text)
  return socket
}

function getPort({ server }: FastifyInstance): number {
  const url = server.address()
  return typeof url === 'object' && url ? url.port : 0
}

const head = (path: string, headers: string[] = []) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: shop',
    ...headers,
    'Content-Type: text/plain',
    'Content-Length: 4',
    '',
    '',
  ].join('\r\n')

test('a body that does not arrive in time is an error in the standard shape', async () => {
  const response = await text(begin(`${head('/usual')}ab`))
  expect(response).toMatch(/^HTTP\/1\.1 408 /)
  const body: unknown = JSON.parse(response.split('\r\n\r\n')[1] ?? '')
  const { message } = errors.REQUEST_TIMEOUT
  expect(body).toEqual({ code: 'REQUEST_TIMEOUT', message, requestId: expect.any(String) })
})

test('a route with its own timeout waits longer', async () => {
  const slow = begin(`${head('/patient')}ab`)
  const response = text(slow)
  // This later request times out. The first one would have timed out before it.
  await text(begin(`${head('/usual')}ab`))
  slow.end('cd')
  expect(await response).toMatch(/^HTTP\/1\.1 200 .*done$/s)
})

test('a route with its own timeout does not wait forever', async () => {
  const slow = begin(`${head('/less-patient')}ab`)
  slow.on('error', () => undefined)
  await once(slow, 'close')
  expect(slow.bytesRead).toBe(0)
})

test('invalid HTTP is rejected and the connection is closed', async () => {
  expect(await text(begin('GET\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 .*"INVALID_REQUEST"/s)
  const long = begin(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(await text(long)).toMatch(/^HTTP\/1\.1 431 /)
})

test('invalid data after a request with a response gets no second response', async () => {
  const coding = 'Transfer-Encoding: 9\r\n'
  const response = await text(
    begin(`GET /at-once HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n${coding}${coding}\r\n`),
  )
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
})

/** Returns the error code in a raw response. */
const codeIn = (response: string): unknown => JSON.parse(response.split('\r\n\r\n').at(-1) ?? '').code

describe('while clients hold back their bodies', () => {
  const maxRequests = 1
  const maxBodies = 4
  let limited: FastifyInstance

  beforeAll(async () => {
    limited = Fastify({ clientErrorHandler: handleClientError, forceCloseConnections: true })
    limitLoad(limited, { maxRequests, isExempt: () => false })
    limitBodies(limited, { maxBodies, maxUploads: 1 })
    limited.post('/usual', async () => 'done')
    await limited.register(async (scope) => {
      const uploads = takeUpload(scope, { types: ['text/plain'], maxBytes: 4 })
      uploads.post('/upload', { config: { isUpload: true } }, async () => 'done')
    })
    await limited.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => limited.close())

  /** Resolves when the server has read the head: it responds to `Expect` at once. */
  async function holdBack(path = '/usual') {
    const socket = begin(`${head(path, ['Expect: 100-continue', 'Connection: close'])}a`, limited)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'data')
    return { socket, response: text(socket) }
  }
  const sendWhole = () =>
    sendRaw(`http://127.0.0.1:${getPort(limited)}`, `${head('/usual', ['Connection: close'])}abcd`)

  test('they do not count as requests', async () => {
    const held = await Promise.all(['/upload', '/usual'].map(holdBack))
    expect(await sendWhole()).toMatchObject({ status: 200, body: 'done' })
    for (const { socket, response } of held) {
      socket.end('bcd')
      expect(await response).toMatch(/^HTTP\/1\.1 200 .*done$/s)
    }
  })

  test('of too many, the one that has waited longest is refused', async () => {
    const upload = await holdBack('/upload')
    const first = await holdBack()
    const others = await Promise.all(Array.from({ length: maxBodies - 1 }, () => holdBack()))
    expect(await sendWhole()).toMatchObject({ status: 200 })
    expect(codeIn(await first.response)).toBe('REQUEST_TIMEOUT')
    for (const { socket, response } of [upload, ...others]) {
      socket.end('bcd')
      expect(await response).toMatch(/^HTTP\/1\.1 200 /)
    }
  })

  test('a client that has disconnected leaves no trace', async () => {
    for (let count = 0; count < 3 * maxBodies; count++) {
      const { socket, response } = await holdBack()
      socket.resetAndDestroy()
      await response.catch(() => undefined)
    }
    expect(await sendWhole()).toMatchObject({ status: 200 })
  })
})

describe('while clients do not read their responses', () => {
  const limit = { maxStalledMs: 60_000, maxUnreadBytes: 1_000_000_000, checkIntervalMs: 60_000 }
  /** More than the buffers of the system hold. */
  const large = 20_000_000

  async function serve(changes: Partial<typeof limit>): Promise<FastifyInstance> {
    const served = Fastify({ forceCloseConnections: true })
    onTestFinished(() => served.close())
    trackResponses(served)
    limitUnread(served, { ...limit, ...changes })
    limitLoad(served, { maxRequests: 1, isExempt: () => false })
    served.get('/bytes/:count', async ({ params }) => 'x'.repeat((params as { count: number }).count))
    served.get('/slow', async () => {
      await once(served.server, 'timeout')
      return 'done'
    })
    await served.listen({ host: '127.0.0.1', port: 0 })
    return served
  }
  /** Sends a request and does not read the rest of the response. Resolves when the response has begun. */
  async function leaveUnread(served: FastifyInstance, bytes: number) {
    const accepted = once(served.server, 'connection') as Promise<[Socket]>
    const client = begin(rawHead('GET', `/bytes/${bytes}`), served)
    client.on('error', () => undefined)
    onTestFinished(() => void client.destroy())
    const [socket] = await accepted
    await once(client, 'readable')
    return { client, socket }
  }
  const getBytes = async (served: FastifyInstance, bytes: number) =>
    (await text(begin(rawHead('GET', `/bytes/${bytes}`), served))).split('\r\n\r\n')[1]?.length

  test('they do not count as requests', async () => {
    const served = await serve({})
    await leaveUnread(served, large)
    expect(await getBytes(served, 4)).toBe(4)
  })

  test('their connections are closed after a time, but not while the server works or a slow client reads', async () => {
    const served = await serve({ maxStalledMs: 500 })
    const { socket } = await leaveUnread(served, large)
    await once(socket, 'close')
    expect(await text(begin(rawHead('GET', '/slow'), served))).toMatch(/^HTTP\/1\.1 200 .*done$/s)

    const began = performance.now()
    let read = 0
    const slow = begin(rawHead('GET', `/bytes/${large}`), served)
    slow.on('data', (chunk: Buffer) => {
      read += chunk.length
      slow.pause()
      setTimeout(() => slow.resume(), 3)
    })
    await once(slow, 'close')
    expect(read).toBeGreaterThan(large)
    expect(performance.now() - began).toBeGreaterThan(500)
  })

  test('too many bytes in memory close the connections with the most', async () => {
    const served = await serve({ maxUnreadBytes: 1.5 * large, checkIntervalMs: 20 })
    const small = await leaveUnread(served, large)
    const most = await leaveUnread(served, 2 * large)
    await once(most.socket, 'close')
    small.client.resume()
    await once(small.client, 'close')
    expect(small.client.bytesRead).toBeGreaterThan(large)
  })
})

test('a network has a limited number of connections, and each closed one makes room', async () => {
  const limited = Fastify({ forceCloseConnections: true })
  onTestFinished(() => limited.close())
  limitConnections(limited, 2)
  limited.get('/', async () => 'done')
  await limited.ready()
  /** Opens a connection from this IP. */
  function open(ip: string, bytes: string) {
    const [client, socket] = duplexPair()
    limited.server.emit('connection', Object.assign(socket, { remoteAddress: ip }))
    client.write(bytes)
    return client
  }
  const get = (ip: string) => text(open(ip, rawHead('GET', '/')))

  const held = ['2001:db8::1', '2001:db8::2'].map((ip) => open(ip, 'GET /'))
  expect(codeIn(await get('2001:db8::3'))).toBe('TOO_MANY_REQUESTS')
  expect(await get('2001:db8:0:1::1')).toMatch(/^HTTP\/1\.1 200 /)

  held[0]?.destroy()
  await expect.poll(() => get('2001:db8::3')).toMatch(/^HTTP\/1\.1 200 /)
})
