import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ShopError } from '../../platform/shop-error.ts'
import { sendStreamed } from '../../platform/streamed-reply.ts'
import { createPictures } from './drawing.ts'
import { type Look, shopCardPath } from './pictures.ts'
import { robots } from './robots.ts'
import * as discovery from './service.ts'

const xml = 'application/xml; charset=utf-8'

/** So many long texts are sent at once, each of which keeps a core busy for as long as its reader is quick. */
const mostAtOnce = 2

/** What search engines and merchant centres read: robots.txt, sitemaps, the product feed and products' pictures. */
export function registerDiscovery(app: FastifyInstance, deps: discovery.DiscoveryDeps): void {
  const pictures = createPictures(deps)
  let sending = 0

  function send(reply: FastifyReply, text: discovery.Text): FastifyReply {
    return sendStreamed(reply, { type: xml, ...text })
  }

  function sendLong(reply: FastifyReply, text: discovery.Text | null): FastifyReply {
    if (!text) throw new ShopError('NOT_FOUND')
    if (sending >= mostAtOnce) throw new ShopError('UNAVAILABLE')
    sending++
    // Also told of a reader who has gone before it is asked: no close would come any more.
    finished(reply.raw, () => sending--)
    return send(reply, text)
  }

  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain').send(robots(deps.origin)),
  )
  app.get('/sitemap.xml', async (_request, reply) => send(reply, await discovery.indexOfSitemaps(deps)))
  app.get('/sitemaps/pages.xml', async (_request, reply) => send(reply, await discovery.sitemapOfPages(deps)))
  app.get<{ Params: { number: string } }>(
    '/sitemaps/products-:number(^[1-9]\\d{0,8}).xml',
    async (request, reply) =>
      sendLong(reply, await discovery.sitemapOfPart(deps, Number(request.params.number))),
  )
  app.get('/feeds/products.xml', async (_request, reply) =>
    sendLong(reply, await discovery.feedOfProducts(deps)),
  )

  app.get<{ Params: { id: string; look: Look } }>(
    '/pictures/products/:id/:hash(^[0-9a-f]{12})-:look(^card|plain).png',
    async (request, reply) => {
      const { id, look } = request.params
      const product = await discovery.findPictured(deps.db, id)
      if (!product) throw new ShopError('NOT_FOUND')
      const path = discovery.drawnPath(product, look)
      // It has changed since: whoever has the old address is led to what the product looks like now.
      if (request.url.split('?')[0] !== path) return reply.redirect(path, 307)
      return sendPicture(reply, await pictures.ofProduct(product, look))
    },
  )
  app.get(shopCardPath, async (_request, reply) => sendPicture(reply, await pictures.ofShop()))
}

/** Its address is another one as soon as it looks otherwise. */
const sendPicture = (reply: FastifyReply, picture: Buffer): FastifyReply =>
  reply.type('image/png').header('cache-control', 'public, max-age=31536000, immutable').send(picture)
