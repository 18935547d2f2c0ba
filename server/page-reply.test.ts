import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { type Page, readyPage, sendPage } from './page-reply.ts'

function serve(page: Partial<Page> = {}) {
  const app = Fastify()
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) =>
      sendPage(
        request,
        reply,
        readyPage({ status: 200, headers, body: Buffer.from('<h1>Hello</h1>'), ...page }),
      ),
  })
  return app
}

test('a page may be kept, and is asked for again each time', async () => {
  const { headers, body } = await serve().inject('/')
  expect(body).toBe('<h1>Hello</h1>')
  expect(headers['cache-control']).toBe('public, max-age=0, stale-while-revalidate=1, stale-if-error=86400')
  expect(headers.vary).toBe('accept-encoding')
})

test('an unchanged page is not sent twice', async () => {
  const app = serve()
  const { headers } = await app.inject('/')
  const again = await app.inject({ url: '/', headers: { 'if-none-match': `"other", ${headers.etag}` } })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')
})

test('a changed page has another tag', async () => {
  const tag = (text: string) => serve({ body: Buffer.from(text) }).inject('/')
  expect((await tag('one')).headers.etag).not.toBe((await tag('two')).headers.etag)
})

test('a page that is not there keeps its status, known or not', async () => {
  const app = serve({ status: 404 })
  const { headers, statusCode } = await app.inject('/')
  expect(statusCode).toBe(404)
  const again = await app.inject({ url: '/', headers: { 'if-none-match': `${headers.etag}` } })
  expect(again.statusCode).toBe(404)
})

test('a page is compressed as the browser can take it', async () => {
  const ask = (encodings: string) => serve().inject({ url: '/', headers: { 'accept-encoding': encodings } })
  const brotli = await ask('gzip, deflate, br')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe('<h1>Hello</h1>')
  const gzip = await ask('gzip')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe('<h1>Hello</h1>')
})

test('HEAD answers the headers of the page alone', async () => {
  const { headers, body } = await serve().inject({ method: 'HEAD', url: '/' })
  expect(headers.etag).toMatch(/^W\//)
  expect(body).toBe('')
})
