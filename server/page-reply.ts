import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Page {
  status: number
  headers: Record<string, string>
  body: Buffer
}

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Sends a rendered page: tagged, so that an unchanged one is not sent twice, and compressed. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  const tag = `W/"${createHash('sha256').update(page.body).digest('base64url').slice(0, 27)}"`
  reply
    .code(page.status)
    .headers(page.headers)
    .header('cache-control', 'public, max-age=0, must-revalidate')
    .header('vary', 'accept-encoding')
    .header('etag', tag)
  if (page.status === 200 && hasTag(request, tag)) return reply.code(304).send()
  const { encoding, body } = await compress(page.body, request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

function hasTag(request: FastifyRequest, tag: string): boolean {
  const known = request.headers['if-none-match']?.split(',') ?? []
  return known.some((candidate) => candidate.trim() === tag)
}

async function compress(
  body: Buffer,
  accepted: string | string[] = '',
): Promise<{ encoding?: string; body: Buffer }> {
  if (accepted.includes('br')) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length }
    return { encoding: 'br', body: await brotli(body, { params }) }
  }
  if (accepted.includes('gzip')) return { encoding: 'gzip', body: await deflate(body) }
  return { body }
}
