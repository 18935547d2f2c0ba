import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { rawAnswer } from './client-errors.ts'
import { ShopError } from './shop-error.ts'

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
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = decode(decoder, body)
    if (text === null) return done(new ShopError('INVALID_REQUEST'))
    return parse(request, text, done)
  })
}

function decode(decoder: TextDecoder, body: Buffer): string | null {
  try {
    return decoder.decode(body)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** Handles requests that Node would otherwise reject with its own response or by closing the connection. */
export function handleUnsupportedRequests(server: Server): void {
  // Ignore unknown `Expect` headers.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // The shop is not a proxy.
  server.on('connect', (_request, socket) => socket.end(rawAnswer('NOT_FOUND')))
}
