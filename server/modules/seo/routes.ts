import { finished, pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ShopError } from '../../platform/errors.ts'
import * as seo from './service.ts'

/** Paths with personal data or for programs. */
const closedPaths = [
  '/api/',
  '/dashboard',
  '/purchase/',
  '/cart',
  '/garage',
  '/checkout',
  '/order/',
  '/idp/',
  '/sandbox/',
  // Each bike has pages of its own.
  '/*?*bike=',
]

const xml = 'application/xml; charset=utf-8'

/** Limits concurrent long responses: a fast client keeps a CPU core busy with each. */
const maxLongResponses = 2

/** Serves robots.txt, sitemaps and the product feed. */
export function registerSeo(app: FastifyInstance, deps: seo.SeoDeps): void {
  let sending = 0

  function sendLong(reply: FastifyReply, text: seo.Text | null): FastifyReply {
    if (!text) throw new ShopError('NOT_FOUND')
    if (sending >= maxLongResponses) throw new ShopError('UNAVAILABLE')
    sending++
    // `finished` also fires if the client disconnected before; a `close` listener would not.
    finished(reply.raw, () => sending--)
    return sendStreamed(reply, xml, text)
  }

  const rules = closedPaths.map((path) => `Disallow: ${path}\n`).join('')
  const robots = `User-agent: *\n${rules}\nSitemap: ${deps.origin}/sitemap.xml\n`
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain').send(robots),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    sendStreamed(reply, xml, await seo.createSitemapIndex(deps)),
  )
  app.get('/sitemaps/pages.xml', async (_request, reply) =>
    sendStreamed(reply, xml, await seo.createPageSitemap(deps)),
  )
  app.get<{ Params: { number: string } }>(
    '/sitemaps/products-:number(^[1-9]\\d{0,8}).xml',
    async (request, reply) =>
      sendLong(reply, await seo.createChunkSitemap(deps, Number(request.params.number))),
  )
  app.get<{ Params: { number: string } }>(
    '/sitemaps/bikes-:number(^[1-9]\\d{0,8}).xml',
    async (request, reply) =>
      sendLong(reply, await seo.createBikeSitemap(deps, Number(request.params.number))),
  )
  app.get('/feeds/products.xml', async (_request, reply) =>
    sendLong(reply, await seo.createProductFeed(deps)),
  )
}

/** Streams a long text with gzip if the client accepts it, or sends 304 if the client has it. */
export function sendStreamed(
  reply: FastifyReply,
  type: string,
  { changedAt, pieces }: seo.Text,
): FastifyReply {
  const { method, headers } = reply.request
  reply.headers({ 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (changedAt) reply.header('last-modified', changedAt.toUTCString())
  if (changedAt && isKnown(changedAt, headers['if-modified-since'])) return reply.code(304).send()

  const gzip = /\bgzip\b/.test(String(headers['accept-encoding']))
  if (gzip) reply.header('content-encoding', 'gzip')
  if (method === 'HEAD') return reply.send()
  const text = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 })
  // The callback can be empty: the last stream passes errors to the reply.
  return reply.send(gzip ? pipeline(text, createGzip(), () => undefined) : text)
}

/** HTTP dates have a resolution of one second. */
function isKnown(changedAt: Date, since: string | undefined): boolean {
  return since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}
