import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readBikeId, withBike } from '../../contract/bike-urls.ts'

export interface Response {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** A response with its ETag. Compressed bodies and raw headers are added on first use. */
export interface PreparedResponse extends Response {
  etag: string
  compressed: Map<Encoding, Buffer | Promise<Buffer>>
  /** Headers for cache hits, as alternating names and values for `writeHead`. */
  rawHeaders: Map<Encoding | 'identity', string[]>
}

export type Encoding = 'br' | 'gzip'

/** Adds `ETag` and `Vary`. Server errors get `no-store`. */
export function prepareResponse({ status, headers, body }: Response): PreparedResponse {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return {
    status,
    headers: {
      ...headers,
      ...(status < 500 ? { etag } : { 'cache-control': 'no-store' }),
      vary: 'accept-encoding, authorization, cookie',
    },
    body,
    etag,
    compressed: new Map(),
    rawHeaders: new Map(),
  }
}

/** Sends the response in the best accepted encoding, or 304 if the ETag matches. */
export function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: PreparedResponse,
): FastifyReply | Promise<FastifyReply> {
  reply.code(response.status).headers(response.headers)
  const { location } = response.headers
  // The bike is not part of the cache key of a product: only the browser reads it. A list has it in its location.
  if (location)
    reply.header(
      'location',
      readBike(location) === null ? withBike(location, readBike(request.url)) : location,
    )
  if (response.status === 200 && matchesEtag(request, response.etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers)
  if (encoding === 'identity') return reply.send(response.body)
  reply.header('content-encoding', encoding)
  const body = response.compressed.get(encoding) ?? compress(response, encoding)
  return body instanceof Promise ? body.then((bytes) => reply.send(bytes)) : reply.send(body)
}

const readBike = (url: string) => readBikeId(url.replace(/^[^?]*/, ''))

function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((candidate) => candidate.trim() === etag)
}

const negotiator = new Negotiator<Encoding | 'identity'>({
  supportedValues: ['br', 'gzip', 'identity'],
  cache: new LRUCache<string, string>({ max: 100 }),
})

export function encodingFor(headers: IncomingHttpHeaders): Encoding | 'identity' {
  const accepted = headers['accept-encoding']
  return (typeof accepted === 'string' && negotiator.negotiate(accepted)) || 'identity'
}

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

function compress({ body, compressed }: PreparedResponse, encoding: Encoding): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  const result = encoding === 'br' ? brotli(body, { params }) : deflate(body)
  compressed.set(encoding, result)
  return result.then((bytes) => {
    compressed.set(encoding, bytes)
    return bytes
  })
}
