import { finished, pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ShopError } from '../../platform/errors.ts'
import { groupIp, wideNetwork } from '../../platform/http/ip.ts'
import { createRobots } from './robots.ts'
import * as seo from './service.ts'

const xml = 'application/xml; charset=utf-8'

/** Limits concurrent long responses: a fast client keeps a CPU core busy with each. */
const longResponses = { max: 3, maxPerNetwork: 2, minMs: 10_000 }

/** Serves robots.txt, sitemaps and the product feed. */
export function registerSeo(app: FastifyInstance, deps: seo.SeoDeps): void {
  const sendLong = limitLongResponses(longResponses)

  const robots = createRobots(deps.origin)
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain').send(robots),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    sendStreamed(reply, xml, await seo.createSitemapIndex(deps)),
  )
  app.get('/sitemaps/pages.xml', async (_request, reply) =>
    sendLong(reply, await seo.createPageSitemap(deps)),
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

interface LongResponseLimit {
  max: number
  maxPerNetwork: number
  /** A response has this time before another one can replace it. */
  minMs: number
}

/**
 * Returns a function that sends a long text, or throws NOT_FOUND without one. If too many are sent, the one that its client
 * reads slowest is closed, so that clients that hardly read do not keep out others. UNAVAILABLE if all of them are new.
 */
export function limitLongResponses({ max, maxPerNetwork, minMs }: LongResponseLimit) {
  interface Sending {
    reply: FastifyReply
    network: string
    beganAt: number
    bytesBefore: number
  }
  const sending = new Set<Sending>()
  const now = () => performance.now()
  const readBytes = ({ raw }: FastifyReply) =>
    (raw.socket?.bytesWritten ?? 0) - (raw.socket?.writableLength ?? 0)
  const getSpeed = ({ reply, beganAt, bytesBefore }: Sending) =>
    (readBytes(reply) - bytesBefore) / (now() - beganAt)

  function makeRoom(among: Sending[]): void {
    const [slowest] = among
      .filter(({ beganAt }) => now() - beganAt >= minMs)
      .toSorted((one, other) => getSpeed(one) - getSpeed(other))
    if (!slowest) throw new ShopError('UNAVAILABLE')
    sending.delete(slowest)
    slowest.reply.raw.destroy()
  }

  return (reply: FastifyReply, text: seo.Text | null): FastifyReply => {
    if (!text) throw new ShopError('NOT_FOUND')
    const group = groupIp(reply.request.ip)
    const network = wideNetwork(group) ?? group
    const ofNetwork = [...sending].filter((each) => each.network === network)
    if (ofNetwork.length >= maxPerNetwork) makeRoom(ofNetwork)
    else if (sending.size >= max) makeRoom([...sending])
    const own = { reply, network, beganAt: now(), bytesBefore: readBytes(reply) }
    sending.add(own)
    // `finished` also fires if the client disconnected before; a `close` listener would not.
    finished(reply.raw, () => sending.delete(own))
    return sendStreamed(reply, xml, text)
  }
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
