import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestIdHeader } from '../platform/http/request-id.ts'
import { createCounter } from '../platform/telemetry/metrics.ts'
import { addToSpan } from '../platform/telemetry/tracing.ts'
import { bearerToken } from './access.ts'
import type { CacheSource, CacheState, ResponseCache } from './cache.ts'
import { encodingFor, type PreparedResponse, sendResponse } from './send-response.ts'

/** Values of the Cache-Status header (RFC 9211). */
const cacheStatus: Record<CacheState, string> = {
  hit: 'shop; hit',
  miss: 'shop; fwd=miss',
  unchanged: 'shop; fwd=stale; fwd-status=304',
  stale: 'shop; hit; detail=stale',
}

const cacheRequests = createCounter({
  name: 'shop_cache_requests_total',
  help: 'Requests for pages and cached calls. bypass: read for a client with a token or a recent change.',
  labelNames: ['kind', 'result'],
})

export function countCacheRequest(key: string, result: CacheState | 'bypass'): void {
  cacheRequests.inc({ kind: key.startsWith('/api/') ? 'call' : 'page', result })
}

/** Sends a cached response, or reads its data and renders them if they have changed. */
export async function sendCached<Data>(
  cache: ResponseCache,
  key: string,
  source: CacheSource<Data>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const fresh = needsFreshData(request)
  const cached = fresh ? undefined : cache.find(key)
  const { response, state } = cached
    ? ({ response: cached, state: 'hit' } as const)
    : await cache.load(key, source, fresh)
  const result = fresh && state !== 'stale' ? 'bypass' : state
  countCacheRequest(key, result)
  addToSpan('shop.cache', result)
  // Set after `load`: the error that it throws is sent with its own headers.
  reply.header('cache-control', fresh ? 'private, no-cache' : publicCacheControl(cache))
  reply.header('cache-status', cacheStatus[state])
  if (cached) rememberHit(cache, key, cached, request, reply)
  return sendResponse(request, reply, response)
}

/** Prepares the response to the next request for this URL, which `answerCacheHits` sends. */
function rememberHit(
  cache: ResponseCache,
  key: string,
  response: PreparedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const encoding = encodingFor(request.headers)
  const body = encoding === 'identity' ? response.body : response.compressed.get(encoding)
  if (response.status !== 200 || !(body instanceof Buffer)) return
  const { [requestIdHeader]: _ofThisRequest, ...shared } = reply.getHeaders()
  const headers = { ...shared, ...response.headers, 'content-length': body.length }
  const all = encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
  response.rawHeaders.set(encoding, Object.entries(all).flat().map(String))
  cache.hits.set(request.originalUrl, { key, route: request.routeOptions.url ?? 'none' })
}

/** Browsers always revalidate. Shared caches reuse a response for as long as the shop does. */
function publicCacheControl({ maxAgeMs }: ResponseCache): string {
  if (maxAgeMs === 0) return 'public, no-cache'
  return `public, max-age=0, s-maxage=${maxAgeMs / 1000}, stale-while-revalidate=1, stale-if-error=86400`
}

const changeCookie = 'recent-change=1'

/**
 * Sets a cookie after a change, so that the client reads its own writes from every process. It expires when no cached
 * response can be older than the change.
 */
export function markChange(reply: FastifyReply, { maxAgeMs, maxReadAgeMs }: ResponseCache): void {
  const maxAge = (maxAgeMs + maxReadAgeMs) / 1000 + 1
  reply.header('set-cookie', `${changeCookie}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`)
}

export const needsFreshData = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  bearerToken(headers.authorization) !== null || (headers.cookie?.includes(changeCookie) ?? false)
