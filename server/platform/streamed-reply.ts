import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'

export interface StreamedText {
  type: string
  /** When it last changed; null if that is too recent to be told apart from the next change. */
  changedAt: Date | null
  /** Read as fast as the other side takes them, so that a long text takes no more memory than a short one. */
  pieces: () => AsyncIterable<string>
}

/** Sends a long text piece by piece, compressed where the other side takes it, and not at all where it has it already. */
export function sendStreamed(reply: FastifyReply, { type, changedAt, pieces }: StreamedText): FastifyReply {
  const { method, headers } = reply.request
  reply.headers({ 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (changedAt) reply.header('last-modified', changedAt.toUTCString())
  if (changedAt && isKnown(changedAt, headers['if-modified-since'])) return reply.code(304).send()

  const gzip = /\bgzip\b/.test(String(headers['accept-encoding']))
  if (gzip) reply.header('content-encoding', 'gzip')
  if (method === 'HEAD') return reply.send()
  const text = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 })
  // A failure reaches the reply through the last stream: an empty callback hides nothing.
  return reply.send(gzip ? pipeline(text, createGzip(), () => undefined) : text)
}

/** A header knows no parts of a second. */
function isKnown(changedAt: Date, since: string | undefined): boolean {
  return since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}
