import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { rawAnswer } from './client-errors.ts'
import { ShopError } from './shop-error.ts'

/** What a request may come with; its body is limited by each call. */
export const requestLimits = {
  /** Characters of an address. Browsers and proxies pass on more, no page or call of a shop has that many. */
  url: 8_000,
  /** Parameters after the `?`. */
  parameters: 50,
  headers: 100,
  /** Bytes of all headers and the address. */
  headerBytes: 32 * 1024,
} as const

/** Refuses requests that are larger than any of ours, before anything is done about them. */
export function limitRequests(app: FastifyInstance): void {
  // One more is read than is taken, or no one would notice.
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
 * Reads JSON that is what it says: UTF-8 to the last byte, where Node would put a replacement for what is not, and
 * without keys that reach for a prototype.
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

/** Answers what Node would answer by itself, in a shape of its own, or hang up on without a word. */
export function handleUnsupportedRequests(server: Server): void {
  // An expectation that no one knows is passed over.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  // No proxy is here.
  server.on('connect', (_request, socket) => socket.end(rawAnswer('NOT_FOUND')))
}
