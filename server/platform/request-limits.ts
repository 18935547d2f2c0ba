import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { allowTime, rawResponse } from './connections.ts'
import { ShopError } from './errors.ts'
import { countRefused } from './metrics.ts'

/** Limits of a request without its body, which each call limits. */
export const requestLimits = {
  /** Characters of the URL. Browsers and proxies allow more, but the shop needs fewer. */
  url: 8_000,
  /** Parameters after the `?`. */
  parameters: 50,
  headers: 100,
  /** Bytes of the request line and all headers. */
  headerBytes: 32 * 1024,
} as const

/** Rejects requests above the limits before they are processed. */
export function limitRequests(app: FastifyInstance): void {
  // Node drops further headers silently: read one more to detect an excess.
  app.server.maxHeadersCount = requestLimits.headers + 1
  app.addHook('onRequest', (request, _reply, done) => {
    const error = refuseSize(request)
    done(error ? new ShopError(error) : undefined)
  })
}

function refuseSize({ raw }: FastifyRequest): ErrorCode | null {
  const { url = '', rawHeaders, headers, httpVersion } = raw
  if (url.length > requestLimits.url) return 'URL_TOO_LONG'
  if (rawHeaders.length / 2 > requestLimits.headers) return 'HEADERS_TOO_LARGE'
  if (url.split('&', requestLimits.parameters + 1).length > requestLimits.parameters) return 'INVALID_REQUEST'
  return headers.host === undefined && httpVersion === '1.1' ? 'INVALID_REQUEST' : null
}

/**
 * Rejects JSON that is not valid UTF-8, which Node would repair with replacement characters. Also rejects keys such as
 * `__proto__`.
 */
export function readJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (!isUtf8(body)) return done(new ShopError('INVALID_REQUEST'))
    return parse(request, body.toString(), done)
  })
}

/** Handles requests that Node would otherwise reject with its own response or by closing the connection. */
export function handleUnsupportedRequests(server: Server): void {
  // Ignore unknown `Expect` headers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // The shop is not a proxy.
  server.on('connect', (_request, socket) => socket.end(rawResponse('NOT_FOUND')))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits its own load: cache hits are cheap, and misses have a queue. */
    hasOwnLimit?: true
  }
}

interface LoadLimit {
  /** Limit of concurrent requests. Further requests fail with UNAVAILABLE. */
  maxRequests: number
  /** Returns whether the request has no limit, because it is cheap or must not fail. */
  isExempt: (request: FastifyRequest) => boolean
}

/** Sheds load: requests above the limit fail early, because they would slow down the others. */
export function limitLoad(app: FastifyInstance, { maxRequests, isExempt }: LoadLimit): void {
  let inFlight = 0
  let isRefusing = false

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.hasOwnLimit || isExempt(request)) return done()
    if (inFlight >= maxRequests) {
      if (!isRefusing) request.log.warn({ inFlight }, 'too many concurrent requests, rejecting some')
      isRefusing = true
      countRefused('requests')
      return done(new ShopError('UNAVAILABLE'))
    }
    inFlight++
    // 'close' is emitted for every response, even if the client has disconnected.
    reply.raw.once('close', () => {
      inFlight--
      if (inFlight < maxRequests / 2) isRefusing = false
    })
    done()
  })
}

/** Ten minutes: 40 MB over a line of 0.5 Mbit/s. */
const uploadTimeoutMs = 600_000

interface UploadRule {
  types: readonly string[]
  maxBytes: number
  /** The body is passed as an async iterable of chunks, not as one Buffer. */
  streamed?: true
}

/** Makes the routes of a scope accept only these content types, as raw bytes. */
export function takeUpload(
  scope: FastifyInstance,
  { types, maxBytes, streamed }: UploadRule,
): FastifyInstance {
  scope.removeAllContentTypeParsers()
  if (streamed) {
    scope.addContentTypeParser([...types], async (request: FastifyRequest, body: IncomingMessage) => {
      if (Number(request.headers['content-length']) > maxBytes) throw new ShopError('BODY_TOO_LARGE')
      // A handler that stops reading can still respond: a destroyed request would close the connection.
      return atMost(maxBytes, body.iterator({ destroyOnReturn: false }))
    })
  } else {
    const whole = { parseAs: 'buffer', bodyLimit: maxBytes } as const
    scope.addContentTypeParser([...types], whole, (_request, body, done) => done(null, body))
  }
  // Discard unread data, so that the client finishes sending and reads the response.
  scope.addHook('onResponse', async (request) => void request.raw.resume())
  scope.addHook('preParsing', async (request) => allowTime(request, uploadTimeoutMs))
  return scope
}

async function* atMost(maxBytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ShopError('BODY_TOO_LARGE')
    yield chunk
  }
}
