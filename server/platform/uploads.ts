import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allowTime } from './client-errors.ts'
import { ShopError } from './shop-error.ts'

/** Ten minutes: 40 MB over a line of 0.5 Mbit/s. */
const uploadTimeoutMs = 600_000

export interface UploadRule {
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
