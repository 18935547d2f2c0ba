import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ShopError } from '../../platform/shop-error.ts'
import { sendStreamed } from '../../platform/streamed-reply.ts'
import { robots } from './robots.ts'
import * as seo from './service.ts'
import { registerShareImages } from './share-image.ts'

const xml = 'application/xml; charset=utf-8'

/** Limits concurrent long responses: a fast client keeps a CPU core busy with each. */
const maxLongResponses = 2

/** Serves robots.txt, sitemaps, the product feed and share images. */
export function registerSeo(app: FastifyInstance, deps: seo.SeoDeps): void {
  let sending = 0

  function send(reply: FastifyReply, text: seo.Text): FastifyReply {
    return sendStreamed(reply, { type: xml, ...text })
  }

  function sendLong(reply: FastifyReply, text: seo.Text | null): FastifyReply {
    if (!text) throw new ShopError('NOT_FOUND')
    if (sending >= maxLongResponses) throw new ShopError('UNAVAILABLE')
    sending++
    // `finished` also fires if the client disconnected before; a `close` listener would not.
    finished(reply.raw, () => sending--)
    return send(reply, text)
  }

  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain').send(robots(deps.origin)),
  )
  app.get('/sitemap.xml', async (_request, reply) => send(reply, await seo.createSitemapIndex(deps)))
  app.get('/sitemaps/pages.xml', async (_request, reply) => send(reply, await seo.createPageSitemap(deps)))
  app.get<{ Params: { number: string } }>(
    '/sitemaps/products-:number(^[1-9]\\d{0,8}).xml',
    async (request, reply) =>
      sendLong(reply, await seo.createChunkSitemap(deps, Number(request.params.number))),
  )
  app.get('/feeds/products.xml', async (_request, reply) =>
    sendLong(reply, await seo.createProductFeed(deps)),
  )
  registerShareImages(app)
}
