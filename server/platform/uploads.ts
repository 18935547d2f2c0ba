import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allowTime } from './client-errors.ts'
import { ShopError } from './shop-error.ts'

/** Ten minutes: 40 MB over a line of 0.5 Mbit/s. */
const uploadTimeoutMs = 600_000

export interface UploadRule {
  types: readonly string[]
  maxBytes: number
  /** The body is handed on while it arrives, as an iterable of its bytes, instead of whole, as a Buffer. */
  streamed?: true
}

/** Lets the calls of a room take these kinds of content, as the bytes that they are, and nothing else. */
export function takeUpload(
  scope: FastifyInstance,
  { types, maxBytes, streamed }: UploadRule,
): FastifyInstance {
  scope.removeAllContentTypeParsers()
  if (streamed) {
    scope.addContentTypeParser([...types], async (request: FastifyRequest, body: IncomingMessage) => {
      if (Number(request.headers['content-length']) > maxBytes) throw new ShopError('BODY_TOO_LARGE')
      // Who stops reading answers all the same: destroyed, the request would take the connection with it.
      return atMost(maxBytes, body.iterator({ destroyOnReturn: false }))
    })
  } else {
    const whole = { parseAs: 'buffer', bodyLimit: maxBytes } as const
    scope.addContentTypeParser([...types], whole, (_request, body, done) => done(null, body))
  }
  // What no one read is let go by, so that the sender comes to its end and hears the answer.
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
