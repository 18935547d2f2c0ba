import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors } from '../../contract/errors.ts'
import { allowTime, handleClientError, trackResponses } from './connections.ts'

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
function begin(text: string) {
  const url = app.server.address()
  const socket = connect(typeof url === 'object' && url ? url.port : 0, '127.0.0.1')
  socket.write(text)
  return socket
}

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: shop\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n`

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
