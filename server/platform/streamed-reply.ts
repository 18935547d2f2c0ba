import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

export interface StreamedText {
  type: string
  /** Time of the last change; null if the next change could have the same timestamp. */
  changedAt: Date | null
  /** Read with backpressure, so that the memory does not depend on the length. */
  pieces: () => AsyncIterable<string>
}

/** Streams a long text with gzip if the client accepts it, or sends 304 if the client has it. */
export function sendStreamed(reply: FastifyReply, { type, changedAt, pieces }: StreamedText): FastifyReply {
  const { method, headers } = reply.request
  reply.headers({ 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (changedAt) reply.header('last-modified', changedAt.toUTCString())
  if (changedAt && isKnown(changedAt, headers['if-modified-since'])) return reply.code(304).send()

  const gzip = /\bgzip\b/.test(String(headers['accept-encoding']))
  if (gzip) reply.header('content-encoding', 'gzip')
  if (method === 'HEAD') return reply.send()
  const text = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 })
  // The callback can be empty: the last stream passes errors to the reply.
  return reply.send(gzip ? pipeline(text, createGzip(), () => undefined) : text)
}

/** HTTP dates have a resolution of one second. */
function isKnown(changedAt: Date, since: string | undefined): boolean {
  return since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}
