import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { readRequestId, requestIdHeader } from '../platform/http/request-id.ts'
import { requestLimits } from '../platform/http/request-limits.ts'
import type { ResponseCache } from './cache.ts'
import { countCacheRequest, needsFreshData } from './send-cached.ts'
import { encodingFor } from './send-response.ts'

interface HitOptions {
  cache: ResponseCache
  /** Whether all requests come from a trusted proxy. */
  hasProxy: boolean
  /** Aborts when connections must be closed after their response. */
  draining: AbortSignal
  isRedirected: (request: IncomingMessage) => boolean
  /** Measures a request until its response ends. */
  measure: ((response: ServerResponse, method: string, route: string) => void) | undefined
}

/**
 * Responds to a request for a URL whose last response was a cache hit, if it is the same for all clients. The hooks and the
 * router of Fastify take more time than the rest of such a request. All other requests go to Fastify.
 */
export function answerCacheHits(
  app: FastifyInstance,
  { cache, hasProxy, draining, isRedirected, measure }: HitOptions,
): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const hit = request.method === 'GET' && cache.hits.get(request.url ?? '')
    if (!hit || isClosing || draining.aborted) return false
    if (!isPlain(request) || needsFreshData(request) || isRedirected(request)) return false
    const cached = cache.find(hit.key)
    const encoding = encodingFor(request.headers)
    const headers = cached?.rawHeaders.get(encoding)
    const body = encoding === 'identity' ? cached?.body : cached?.compressed.get(encoding)
    if (!cached || !headers || !(body instanceof Buffer)) return false
    measure?.(response, 'GET', hit.route)
    countCacheRequest(hit.key, 'hit')
    response.writeHead(200, [...headers, requestIdHeader, readRequestId(request, hasProxy)]).end(body)
    return true
  }

  const { server } = app
  const listeners = server.listeners('request') as ((...all: [IncomingMessage, ServerResponse]) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (answer(request, response)) return
    for (const listener of listeners) listener.call(server, request, response)
  })
}

/** Whether the request has no body, no condition, and nothing that Fastify refuses. */
function isPlain({ headers, rawHeaders }: IncomingMessage): boolean {
  return (
    headers['if-none-match'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.host !== undefined &&
    rawHeaders.length / 2 <= requestLimits.headers
  )
}
