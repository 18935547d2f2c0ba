import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import { ShopError } from '../errors.ts'
import { countRefused } from '../telemetry/metrics.ts'
import { allowTime, closeLate, rawResponse } from './connections.ts'

/** Limits of every request. The size of the body is limited by each call. */
export const requestLimits = {
  /** Characters of the URL. Browsers and proxies allow more, but the shop needs fewer. */
  url: 8_000,
  /** Parameters after the `?`. */
  parameters: 50,
  headers: 100,
  /** Bytes of the request line and all headers. */
  headerBytes: 32 * 1024,
  /** Time in which the whole request must arrive. Uploads have more. */
  timeoutMs: 10_000,
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
    /** The body is a file, see `takeUpload`. */
    isUpload?: true
  }
}

interface LoadLimit {
  /** Limit of concurrent requests. Further requests fail with UNAVAILABLE. */
  maxRequests: number
  /** Returns whether the request has no limit, because it is cheap or must not fail. */
  isExempt: (request: FastifyRequest) => boolean
}

/**
 * Sheds load: requests above the limit fail early, because they would slow down the others. A request does not count while
 * its body arrives, or while its finished response is sent: a slow client would take the place of others. `limitUnread`
 * limits the memory of such responses. A streamed response counts until its end.
 */
export function limitLoad(app: FastifyInstance, { maxRequests, isExempt }: LoadLimit): void {
  const inFlight = new Set<FastifyRequest>()
  let isRefusing = false
  const isUnlimited = (request: FastifyRequest) =>
    request.routeOptions.config.hasOwnLimit === true || isExempt(request)

  function enter(request: FastifyRequest): ShopError | undefined {
    if (inFlight.size >= maxRequests) {
      if (!isRefusing)
        request.log.warn({ inFlight: inFlight.size }, 'too many concurrent requests, rejecting some')
      isRefusing = true
      countRefused('requests')
      return new ShopError('UNAVAILABLE')
    }
    inFlight.add(request)
    return undefined
  }
  function leave(request: FastifyRequest): void {
    inFlight.delete(request)
    if (inFlight.size < maxRequests / 2) isRefusing = false
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (isUnlimited(request)) return done()
    const error = enter(request)
    // 'close' is emitted for every response, even if the client has disconnected.
    if (!error) reply.raw.once('close', () => leave(request))
    done(error)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (hasBody(request)) leave(request)
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (inFlight.has(request) || isUnlimited(request) || reply.raw.closed) return done()
    done(enter(request))
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (!isStream(payload)) leave(request)
    done(null, payload)
  })
}

const isStream = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload)

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

interface BodyLimit {
  /** Limit of requests whose body has not arrived. */
  maxBodies: number
  /** The same for uploads, whose bodies are larger and have more time. */
  maxUploads: number
}

/**
 * Limits the memory of bodies that arrive slowly. When there are too many, the request that has waited longest is
 * refused: bodies usually arrive together with their head, so other clients are still served.
 */
export function limitBodies(app: FastifyInstance, { maxBodies, maxUploads }: BodyLimit): void {
  const bodies = new Set<FastifyRequest>()
  const uploads = new Set<FastifyRequest>()

  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request)) return done()
    const isUpload = request.routeOptions.config.isUpload === true
    const waiting = isUpload ? uploads : bodies
    const [oldest] = waiting
    if (oldest && waiting.size >= (isUpload ? maxUploads : maxBodies)) {
      waiting.delete(oldest)
      countRefused(isUpload ? 'uploads' : 'bodies')
      closeLate(oldest.raw.socket)
    }
    waiting.add(request)
    reply.raw.once('close', () => waiting.delete(request))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    bodies.delete(request)
    uploads.delete(request)
    done()
  })
}

/** Ten minutes: 100 MB over a line of 1.4 Mbit/s. */
const uploadTimeoutMs = 600_000

interface UploadRule {
  types: readonly string[]
  maxBytes: number
  /** The body is passed as an async iterable of chunks, not as one Buffer. */
  streamed?: true
}

/**
 * Makes the routes of a scope accept only these content types, as raw bytes. Every response follows the whole body, or is
 * sent while the rest is received and discarded: browsers read a response only after they have sent everything.
 */
export function takeUpload(
  scope: FastifyInstance,
  { types, maxBytes, streamed }: UploadRule,
): FastifyInstance {
  const bodies = new WeakMap<FastifyRequest, AsyncGenerator<Buffer>>()
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([...types], async (request: FastifyRequest, body: IncomingMessage) => {
    // Thrown below: if a parser refuses the body, Fastify closes the connection.
    if (Number(request.headers['content-length']) > maxBytes) return new ShopError('BODY_TOO_LARGE')
    const chunks = atMost(maxBytes, body)
    bodies.set(request, chunks)
    if (streamed) return chunks
    return buffer(chunks).catch((error: unknown) => error)
  })
  scope.addHook('preHandler', async ({ body }) => {
    if (body instanceof Error) throw body
  })
  scope.addHook('onResponse', async (request) => {
    // The handler may have stopped partway through the body, and an open iterator would block the rest.
    await bodies.get(request)?.return(undefined)
    discardRest(request.raw, maxBytes)
  })
  scope.addHook('preParsing', async (request) => allowTime(request, uploadTimeoutMs))
  return scope
}

async function* atMost(maxBytes: number, body: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0
  // Without this option the end of the loop would destroy the request and its connection.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ShopError('BODY_TOO_LARGE')
    yield chunk
  }
}

/** Discards up to `maxBytes` of a body, and then closes its connection. `uploadTimeoutMs` limits the time. */
function discardRest(body: IncomingMessage, maxBytes: number): void {
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) body.destroy()
  })
}
