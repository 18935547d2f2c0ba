import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { limitLongResponses, sendStreamed } from './routes.ts'

let app: FastifyInstance
afterEach(() => app.close())

async function serve(pieces: () => AsyncIterable<string>, changedAt: Date | null = null): Promise<string> {
  app = Fastify()
  app.get('/', (_request, reply) => sendStreamed(reply, 'text/plain', { changedAt, pieces }))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'a disconnect ends the generator, with %j',
  async (headers) => {
    const ended = Promise.withResolvers<number>()
    async function* endless() {
      let made = 0
      try {
        for (; ; made++) yield `${'x'.repeat(60_000)}${made}`
      } finally {
        ended.resolve(made)
      }
    }
    const url = await serve(endless)
    const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
    await once(response, 'readable')
    response.destroy()
    expect(await ended.promise).toBeGreaterThan(0)
  },
)

test.each([
  ['as it is', {}, 1],
  ['compressed', { 'accept-encoding': 'gzip' }, 2],
])('generates no more than the client reads, %s', async (_how, headers, smaller) => {
  let made = 0
  async function* long() {
    // Hexadecimal digits of random bytes compress to half of their length.
    for (; made < 1_000; made++) yield randomBytes(50_000).toString('hex')
  }
  const url = await serve(long)
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  let taken = 0
  for await (const chunk of response) {
    taken += (chunk as Buffer).length * smaller
    if (taken > 5_000_000) break
  }
  // The whole text has 100 MB. The difference is the size of the buffers between server and client.
  expect(made * 100_000 - taken).toBeLessThan(20_000_000)
})

test('a failure partway closes the connection, so that the client sees an incomplete response', async () => {
  async function* broken() {
    yield 'the first half'
    throw new Error('away')
  }
  for (const encoding of ['gzip', 'identity']) {
    const url = await serve(broken)
    const response = fetch(url, { headers: { 'accept-encoding': encoding } })
    await expect(
      response.then((reply) => reply.text()),
      encoding,
    ).rejects.toThrow('terminated')
    await app.close()
  }
})

test('timestamps are compared in whole seconds, as in headers', async () => {
  async function* text() {
    yield 'x'
  }
  await serve(text, new Date('2026-03-01T10:00:00.900Z'))
  const ask = (since: string) => app.inject({ url: '/', headers: { 'if-modified-since': since } })
  expect((await ask('Sun, 01 Mar 2026 10:00:00 GMT')).statusCode).toBe(304)
  expect((await ask('Sun, 01 Mar 2026 09:59:59 GMT')).statusCode).toBe(200)
  expect((await ask('yesterday')).statusCode).toBe(200)
})

test('of too many long responses, the one that its client reads slowest makes room', async () => {
  async function* endless() {
    for (;;) yield 'x'.repeat(60_000)
  }
  app = Fastify({ trustProxy: true, forceCloseConnections: true })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const send = limitLongResponses({ max: 3, maxPerNetwork: 2, minMs: 1_000 })
  app.get('/', (_request, reply) => send(reply, { changedAt: null, pieces: endless }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  /** Opens a response from this IP. */
  async function open(ip: string, isRead: boolean) {
    const request = get(url, { agent: false, headers: { 'x-forwarded-for': ip } }).on(
      'error',
      () => undefined,
    )
    onTestFinished(() => void request.destroy())
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    if (isRead) response.resume()
    return response.statusCode
  }

  // At first all of them are new. The last one of the first network is one too many, and so is the last one of all.
  expect(await open('2001:db8:0:1::1', false)).toBe(200)
  expect(await open('2001:db8:0:2::1', false)).toBe(200)
  expect(await open('2001:db8:0:3::1', true)).toBe(503)
  expect(await open('192.0.2.1', true)).toBe(200)
  expect(await open('192.0.2.2', true)).toBe(503)

  // More than the buffers of a response that its client does not read.
  await expect.poll(() => sockets[3]?.bytesWritten).toBeGreaterThan(20_000_000)
  vi.advanceTimersByTime(1_000)
  expect(await open('192.0.2.2', true)).toBe(200)
  expect(await open('192.0.2.3', true)).toBe(200)
  await expect.poll(() => sockets.slice(0, 2).map(({ destroyed }) => destroyed)).toEqual([true, true])
  expect(sockets[3]?.destroyed).toBe(false)
})
