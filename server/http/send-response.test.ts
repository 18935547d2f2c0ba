import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { prepareResponse, type Response, sendResponse } from './send-response.ts'

function serve(response: Partial<Response> = {}) {
  const app = Fastify()
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const prepared = prepareResponse({ status: 200, headers, body: Buffer.from('<h1>Hello</h1>'), ...response })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) => sendResponse(request, reply, prepared),
  })
  return app
}

test('a response has an ETag, and varies by all request headers that it depends on', async () => {
  const { headers, body } = await serve().inject('/')
  expect(body).toBe('<h1>Hello</h1>')
  expect(headers.etag).toMatch(/^W\//)
  expect(headers.vary).toBe('accept-encoding, authorization, cookie')
})

test('a client with the current response gets 304', async () => {
  const app = serve()
  const { headers } = await app.inject('/')
  const again = await app.inject({ url: '/', headers: { 'if-none-match': `"other", ${headers.etag}` } })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
})

test('another body has another ETag', async () => {
  const etag = (text: string) => serve({ body: Buffer.from(text) }).inject('/')
  expect((await etag('one')).headers.etag).not.toBe((await etag('two')).headers.etag)
})

test('a 404 is not turned into 304', async () => {
  const app = serve({ status: 404 })
  const { headers, statusCode } = await app.inject('/')
  expect(statusCode).toBe(404)
  const again = await app.inject({ url: '/', headers: { 'if-none-match': `${headers.etag}` } })
  expect(again.statusCode).toBe(404)
})

test('no cache stores a server error', async () => {
  const { headers } = await serve({ status: 503 }).inject('/')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers.etag).toBeUndefined()
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0, br;q=0', undefined],
  ['identity', undefined],
  ['*', 'br'],
  ['brotli, zstd', undefined],
  ['', undefined],
])('a client that accepts %j gets the encoding %s', async (accepted, encoding) => {
  const { headers, rawPayload } = await serve().inject({
    url: '/',
    headers: { 'accept-encoding': accepted },
  })
  expect(headers['content-encoding']).toBe(encoding)
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes)
  expect(decode(rawPayload).toString()).toBe('<h1>Hello</h1>')
})

test('HEAD returns the headers without the body', async () => {
  const { headers, body } = await serve().inject({ method: 'HEAD', url: '/' })
  expect(headers.etag).toMatch(/^W\//)
  expect(body).toBe('')
})
