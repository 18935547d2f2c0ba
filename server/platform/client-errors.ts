import type { ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts'
import { hasCode } from './startup-error.ts'

/** Connections whose request may take longer to arrive than others. */
const drainTimeoutMs = new WeakSet<Socket>()

/**
 * Lets the body of this request take so many milliseconds to arrive. All others have the server's `requestTimeout`,
 * which keeps those away who hold a connection by sending a byte now and then.
 */
export function allowTime(request: FastifyRequest, milliseconds: number): void {
  const { socket } = request.raw
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
  drainTimeoutMs.add(socket)
  request.raw.once('close', () => {
    clearTimeout(timer)
    drainTimeoutMs.delete(socket)
  })
}

const responses = new WeakMap<Socket, ServerResponse>()

/** Remembers what each connection is being answered. */
export function trackResponses(app: FastifyInstance): void {
  app.server.prependListener('request', ({ socket }, response) => responses.set(socket, response))
}

/** Answers what is no HTTP, or takes too long to arrive, in the one error shape; then hangs up. */
export function handleClientError(this: FastifyInstance, error: Error, socket: Socket): void {
  if (socket.destroyed || hasCode(error, 'ECONNRESET')) return
  const isLate = hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')
  if (isLate && drainTimeoutMs.has(socket)) return
  this.log.trace({ err: error }, 'a connection that speaks no HTTP, or too slowly')
  // The head was answered already; what follows it cannot be read, and a second answer would be taken for that of another request.
  const response = responses.get(socket)
  if (response?.headersSent && !response.writableFinished)
    return void response.once('finish', () => socket.destroy())
  if (socket.writable) socket.write(rawAnswer(isLate ? 'REQUEST_TIMEOUT' : toCode(error)))
  socket.destroy(error)
}

/** What the parser stumbled over. What it has of the request so far tells an endless address from endless headers. */
function toCode(error: Error): ErrorCode {
  if (!hasCode(error, 'HPE_HEADER_OVERFLOW')) return 'INVALID_REQUEST'
  const begun = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
  return begun.includes('\n') ? 'HEADERS_TOO_LARGE' : 'URL_TOO_LONG'
}

/** A whole answer as it goes over the wire, for where no reply of Fastify's is at hand. */
export function rawAnswer(code: ErrorCode): string {
  const { status, message } = errors[code]
  const body = JSON.stringify({ code, message } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
