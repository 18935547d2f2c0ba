import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '../../../contract/errors.ts'
import { hasCode } from '../errors.ts'
import { countRefused } from '../telemetry/metrics.ts'
import { groupIp } from './ip.ts'
import { createRequestId } from './request-id.ts'

/** Connections with a longer request timeout, see `allowTime`. */
const slowUploads = new WeakSet<Socket>()

/**
 * Sets a longer timeout for the body of this request. The server's `requestTimeout` is short, as a defence against
 * slow-request attacks.
 */
export function allowTime(request: FastifyRequest, milliseconds: number): void {
  const { socket } = request.raw
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
  slowUploads.add(socket)
  request.raw.once('close', () => {
    clearTimeout(timer)
    slowUploads.delete(socket)
  })
}

const responses = new WeakMap<Socket, ServerResponse>()

/** Stores the current response of each connection, for `handleClientError`. */
export function trackResponses(app: FastifyInstance): void {
  app.server.prependListener('request', ({ socket }, response) => responses.set(socket, response))
}

/** Responds to malformed or late requests with a standard error and closes the connection. */
export function handleClientError(this: FastifyInstance, error: Error, socket: Socket): void {
  if (socket.destroyed || hasCode(error, 'ECONNRESET')) return
  const isLate = hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')
  if (isLate && slowUploads.has(socket)) return
  const requestId = createRequestId()
  this.log.trace({ err: error, requestId }, 'invalid or slow HTTP request')
  // Let a response in progress finish: the client would assign a second one to another request.
  const response = responses.get(socket)
  if (response?.headersSent && !response.writableFinished)
    return void response.once('finish', () => socket.destroy())
  if (socket.writable) {
    socket.write(rawResponse(isLate ? 'REQUEST_TIMEOUT' : toCode(error), requestId))
  }
  socket.destroy(error)
}

/** Refuses a request whose body has not arrived, and closes the connection. */
export function closeLate(socket: Socket): void {
  if (socket.writable && !responses.get(socket)?.headersSent) socket.write(rawResponse('REQUEST_TIMEOUT'))
  socket.destroy()
}

interface UnreadLimit {
  /** A connection is closed if its client has read nothing of a response for this time. */
  maxStalledMs: number
  /** Bytes of all responses that wait for their clients in the memory of this process. */
  maxUnreadBytes: number
  checkIntervalMs: number
}

/**
 * Closes the connections of clients that do not read their responses. A slow client is served as long as it reads. Only if
 * too many bytes wait for clients, those with the most are closed. Call it after `trackResponses`.
 */
export function limitUnread(app: FastifyInstance, limit: UnreadLimit): void {
  const { server } = app
  const close = (socket: Socket) => {
    if (socket.writableLength > 0) countRefused('unread')
    socket.destroy()
  }
  // Node starts this time again after each part of a write that the client has received.
  server.setTimeout(limit.maxStalledMs, (socket: Socket) => {
    const response = responses.get(socket)
    const isWorking = response !== undefined && !response.writableFinished && socket.writableLength === 0
    if (!isWorking) close(socket)
  })

  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const timer = setInterval(() => {
    const waiting = [...open].filter(({ writableLength }) => writableLength > 0)
    let unread = 0
    // A page is small: with the smallest first, large responses that no one reads do not cut off slow riders.
    for (const socket of waiting.toSorted((one, other) => one.writableLength - other.writableLength)) {
      unread += socket.writableLength
      if (unread > limit.maxUnreadBytes) close(socket)
    }
  }, limit.checkIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Limits the connections of each network, for a server without a proxy in front: a client that opens many would use up the
 * memory and the file descriptors of the process.
 */
export function limitConnections({ server, log }: FastifyInstance, maxPerNetwork: number): void {
  const counts = new Map<string, number>()
  let isRefusing = false
  server.on('connection', (socket: Socket) => {
    const network = groupIp(socket.remoteAddress ?? '')
    const count = (counts.get(network) ?? 0) + 1
    if (count > maxPerNetwork) {
      if (!isRefusing) log.warn({ maxPerNetwork }, 'too many connections of one network, closing some')
      isRefusing = true
      countRefused('connections')
      socket.write(rawResponse('TOO_MANY_REQUESTS'))
      return void socket.destroy()
    }
    counts.set(network, count)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
      if (left < maxPerNetwork / 2) isRefusing = false
    })
  })
}

/** If the received bytes contain no line break, the URL is too long, not the headers. */
function toCode(error: Error): ErrorCode {
  if (!hasCode(error, 'HPE_HEADER_OVERFLOW')) return 'INVALID_REQUEST'
  const begun = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
  return begun.includes('\n') ? 'HEADERS_TOO_LARGE' : 'URL_TOO_LONG'
}

/** Returns an error response as raw HTTP, for sockets without a Fastify reply. */
export function rawResponse(code: ErrorCode, requestId = createRequestId()): string {
  const { status, message } = errors[code]
  const body = JSON.stringify({ code, message, requestId } satisfies ErrorBody)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/**
 * Closes connections after their current response while the server drains or shuts down, so that clients connect to
 * another process. Node closes idle connections only: it would keep the others open for more than a minute.
 */
export function drainConnections(app: FastifyInstance, draining: AbortSignal): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', (_request, reply, done) => {
    // Node sends `Connection: close`. Not a header of the reply, which would get into cached responses.
    if (draining.aborted) reply.raw.shouldKeepAlive = false
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (closing) request.raw.socket.end()
    done()
  })
}
