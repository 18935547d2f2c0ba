import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts'
import { hasCode } from './startup-error.ts'

/** Connections whose request may take longer to arrive than others. */
const patientWith = new WeakSet<Socket>()

/**
 * Lets the body of this request take so many milliseconds to arrive. All others have the server's `requestTimeout`,
 * which keeps those away who hold a connection by sending a byte now and then.
 */
export function allowTime(request: FastifyRequest, milliseconds: number): void {
  const { socket } = request.raw
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref()
  patientWith.add(socket)
  request.raw.once('close', () => {
    clearTimeout(timer)
    patientWith.delete(socket)
  })
}

/** Answers what is no HTTP, or takes too long to arrive, in the one error shape; then hangs up. */
export function answerClientError(this: FastifyInstance, error: Error, socket: Socket): void {
  if (socket.destroyed || hasCode(error, 'ECONNRESET')) return
  const isLate = hasCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')
  if (isLate && patientWith.has(socket)) return
  this.log.trace({ err: error }, 'a connection that speaks no HTTP, or too slowly')
  if (socket.writable)
    socket.write(isLate ? late : hasCode(error, 'HPE_HEADER_OVERFLOW') ? longHead : malformed)
  socket.destroy(error)
}

const late = answer('408 Request Timeout', 'REQUEST_TIMEOUT')
const longHead = answer('431 Request Header Fields Too Large', 'BODY_TOO_LARGE')
const malformed = answer('400 Bad Request', 'INVALID_REQUEST')

function answer(status: string, code: ErrorCode): string {
  const body = JSON.stringify({ code, message: errors[code].message } satisfies ErrorBody)
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
