import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts'
import { requestIdHeader } from './http/request-id.ts'

/**
 * The process cannot start. The message is one sentence with the cause and the fix.
 * The entry point prints it without a stack and exits with code 1.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The part of a logger that failures need. */
export interface FailureLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Returns the code of an error (`EACCES`, `28P01`), or the first line of its message. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : (error.message.split('\n')[0] ?? error.name)
}

/** Returns whether an error has this code of the operating system (`ENOENT`) or Postgres (`23505`). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the error response. */
    errorCode?: ErrorCode
  }
}

/** Properties of an error response in addition to code and message. */
interface ErrorResponse {
  /** Messages by field. */
  fields?: Record<string, string>
  /** Additional properties of the response, as defined by the contract. */
  details?: Record<string, unknown>
  /** Seconds to wait before the next attempt. */
  retryAfter?: number
}

/** An expected error for the client. Its code determines status and message; throwing it rolls back a transaction. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
  readonly code: ErrorCode
  /** For routes with their own error format. */
  readonly statusCode: number
  readonly response: ErrorResponse

  constructor(code: ErrorCode, { cause, ...response }: ErrorResponse & { cause?: unknown } = {}) {
    super(errors[code].message, { cause })
    this.code = code
    this.statusCode = errors[code].status
    this.response = response
  }
}

/** Error codes of the shop for the errors of Fastify, by status. */
const fastifyErrors: Record<number, ErrorCode> = {
  400: 'INVALID_REQUEST',
  // A path with `..` that leaves the folder of static files.
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
}

/** Codes of Node for a server whose certificate has expired, has another name or is signed by an unknown authority. */
const certificateCodes = [
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Codes of the system and of Postgres after which the same request may succeed a few seconds later. */
const temporaryCodes = new Set(
  [
    // No connection. PgBouncer sends 08P01 if it has none to the server.
    [
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENOTFOUND',
      'EAI_AGAIN',
    ],
    ['08000', '08001', '08003', '08004', '08006', '08P01'],
    // The server stops, crashes, starts or has no free connection.
    ['57P01', '57P02', '57P03', '53300'],
    // Read-only: a standby before its promotion, a former primary, or a provider's server with a nearly full disk.
    ['25006'],
    // A statement or a lock took too long, or the result of a commit is unknown.
    ['57014', '55P03', '40003'],
    // Deadlock, serialization failure, and a prepared statement that its session has lost, after retries.
    ['40P01', '40001', '26000', '42P05'],
    ['53100', 'ENOSPC'],
    certificateCodes,
  ].flat(),
)

/** Failures that need an operator, so their messages name them. */
const operatorMessages: Record<string, string> = {
  53100: 'The disk of the database is full.',
  ENOSPC: 'The disk of the shop is full.',
  ...Object.fromEntries(
    certificateCodes.map((code) => [code, 'The certificate of the database is not accepted.']),
  ),
}

/** Sends all errors in one shape. Unexpected errors are logged, and sent without details. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof ShopError) {
      const { code, cause, response } = error
      if (cause !== undefined) request.log.info({ code, err: cause }, 'request rejected')
      return sendError(reply, code, response)
    }
    const failure = fastifyErrors[error.statusCode ?? 500]
    if (failure) return sendError(reply, failure)
    if (isDatabaseUnavailable(error)) {
      logUnavailable(request.log, error)
      return sendError(reply, 'UNAVAILABLE')
    }
    request.log.error({ err: error }, 'unexpected error')
    return sendError(reply, 'INTERNAL')
  })
}

/**
 * Handles router errors: a malformed `%`-escape, or a path parameter that is too long.
 *
 * @param headers fixed headers, because no hook runs before these errors
 */
export function handleBadUrl(headers: Record<string, string>) {
  return (error: FastifyError, { id }: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers).header(requestIdHeader, id)
    void sendError(reply, error.code === 'FST_ERR_BAD_URL' ? 'INVALID_REQUEST' : 'NOT_FOUND')
  }
}

export function sendNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(reply, 'NOT_FOUND')
}

function sendError(reply: FastifyReply, code: ErrorCode, more: ErrorResponse = {}): FastifyReply {
  const { status, message } = errors[code]
  const { fields, details, retryAfter = status === 503 ? 2 : undefined } = more
  const body: ErrorBody = { code, message, ...(fields && { fields }), requestId: reply.request.id }
  reply.errorCode = code
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter)
  // Without it, a CDN may store errors: an asset of the next version can be missing on one process for a moment.
  reply.header('Cache-Control', 'no-store')
  // A file that fails before its first byte has set other headers.
  reply.removeHeader('Content-Disposition').type('application/json; charset=utf-8')
  return reply.status(status).send({ ...body, ...details })
}

/** Logs no stack, because every request logs this while the database is down. */
export function logUnavailable(log: FailureLog, error: unknown): void {
  const reason = toReason(error)
  const message = error instanceof Error ? error.message : undefined
  const operatorMessage = operatorMessages[reason]
  if (operatorMessage) log.error({ reason, message }, operatorMessage)
  else log.warn({ reason, message }, 'database unavailable')
}

/** Returns whether the database is temporarily unavailable, so that a retry may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && temporaryCodes.has(String(error.code))) ||
    isStalePlan(error) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client .* not queryable$)/.test(
      error.message,
    )
  )
}

/** Returns whether a table was changed after the statement was prepared. Other causes have the same code. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'
