import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** A value as it is edited, and the ETag of everything in it that an editor changes. */
export interface Tagged<Value> {
  value: Value
  etag: string
}

/** Returns the ETag of values: another one after each change. */
export const toEtag = (values: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(values)).digest('base64url')}"`

/** Sets the header `ETag`, and returns the value. */
export function sendTagged<Value>(reply: FastifyReply, { value, etag }: Tagged<Value>): Value {
  reply.header('ETag', etag)
  return value
}

/** Returns the ETag of the values that were edited. Proxies may mark it as weak. */
export const readIfMatch = (headers: { 'if-match': string }): string =>
  headers['if-match'].replace(/^W\//, '')
