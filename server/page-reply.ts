import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Page {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** A page with all that its answers need; what is compressed is made when it is first asked for, and once. */
export interface ReadyPage extends Page {
  tag: string
  compressed: Map<Encoding, Buffer | Promise<Buffer>>
  /** Names and values by turns, as they went out with the page before. */
  sentHeaders: Map<Encoding | null, string[]>
}

type Encoding = 'br' | 'gzip'

/**
 * Whoever keeps a page asks each time whether it is still the same; for a second a cache may still hand out the last
 * one while it asks, and for a day where the shop does not answer.
 */
const mayBeKept = 'public, max-age=0, stale-while-revalidate=1, stale-if-error=86400'

/** Tags a page, so that an unchanged one is not sent twice, and says who may keep it and how long. */
export function readyPage({ status, headers, body }: Page, keeping = mayBeKept): ReadyPage {
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const caching: Record<string, string> =
    status < 500 ? { 'cache-control': keeping, etag: tag } : { 'cache-control': 'no-store' }
  return {
    status,
    headers: { ...headers, ...caching, vary: 'accept-encoding' },
    body,
    tag,
    compressed: new Map(),
    sentHeaders: new Map(),
  }
}

/** Sends a page, compressed as the browser can take it, or the word that it has it already. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ReadyPage,
): FastifyReply | Promise<FastifyReply> {
  reply.code(page.status).headers(page.headers)
  if (page.status === 200 && hasTag(request, page.tag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (!encoding) return reply.send(page.body)
  reply.header('content-encoding', encoding)
  const body = page.compressed.get(encoding) ?? compress(page, encoding)
  return body instanceof Promise ? body.then((bytes) => reply.send(bytes)) : reply.send(body)
}

/**
 * Sends a page that was found in memory. All that comes with it is the same for everybody, also what hooks have set: it is put
 * together once, and handed to Node as it is.
 */
export function sendFound(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ReadyPage,
): FastifyReply | Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = encoding ? page.compressed.get(encoding) : page.body
  if (!(body instanceof Buffer) || request.headers['if-none-match']) return sendPage(request, reply, page)
  let headers = page.sentHeaders.get(encoding)
  if (!headers) {
    const all = { ...reply.getHeaders(), ...page.headers, 'content-length': body.length }
    headers = Object.entries({ ...all, ...(encoding && { 'content-encoding': encoding }) })
      .flat()
      .map(String)
    page.sentHeaders.set(encoding, headers)
  }
  reply.hijack()
  reply.raw.writeHead(page.status, headers).end(body)
  return reply
}

function hasTag(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((candidate) => candidate.trim() === tag)
}

function encodingFor(accepted: string | string[] = ''): Encoding | null {
  if (accepted.includes('br')) return 'br'
  return accepted.includes('gzip') ? 'gzip' : null
}

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

function compress(page: ReadyPage, encoding: Encoding): Promise<Buffer> {
  const { body, compressed } = page
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
  const making = encoding === 'br' ? brotli(body, { params }) : deflate(body)
  compressed.set(encoding, making)
  return making.then((bytes) => {
    compressed.set(encoding, bytes)
    return bytes
  })
}
