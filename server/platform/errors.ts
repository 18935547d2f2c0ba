import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errors } from '../../contract/errors.ts'
import { ShopError } from './shop-error.ts'
import { hasCode, toReason } from './startup-error.ts'

/** What Fastify itself refuses, in the shop's words. */
const fastifyErrors: Record<number, ErrorCode> = {
  400: 'INVALID_REQUEST',
  // A path that leads out of its folder.
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
}

/** Postgres is away, going away, has no connection left, or gave this up for others: try again later. */
const databaseUnavailable = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08003',
  '08001',
  '40P01',
  '40001',
]

/** Answers every refusal in the one error shape. What no one foresaw is logged whole, and told without detail. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof ShopError) return sendError(reply, error.code, error)
    const failure = fastifyErrors[error.statusCode ?? 500]
    if (failure) return sendError(reply, failure)
    if (isDatabaseUnavailable(error)) {
      logUnavailable(request.log, error)
      return sendError(reply, 'UNAVAILABLE')
    }
    request.log.error({ err: error }, 'an error that nobody foresaw')
    return sendError(reply, 'INTERNAL')
  })
}

/**
 * Answers what the router itself refuses: a malformed `%`-escape, or a part of the path that no id is as long as.
 *
 * @param headers which no hook has set yet
 */
export function handleBadUrl(headers: Record<string, string>) {
  return (error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    void sendError(reply.headers(headers), error.code === 'FST_ERR_BAD_URL' ? 'INVALID_REQUEST' : 'NOT_FOUND')
  }
}

/** Answers NOT_FOUND in the one error shape. */
export function sendNotFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(reply, 'NOT_FOUND')
}

function sendError(reply: FastifyReply, code: ErrorCode, more?: ShopError): FastifyReply {
  const body: ErrorBody = { ...errorBody(code), ...(more?.fields && { fields: more.fields }) }
  if (errors[code].status === 503) reply.header('Retry-After', '2')
  if (more?.cause !== undefined) reply.request.log.info({ code, err: more.cause }, 'refused')
  return reply.status(errors[code].status).send({ ...body, ...more?.details })
}

/** What is told of a refusal at least. */
export const errorBody = (code: ErrorCode): ErrorBody => ({ code, message: errors[code].message })

/** Without its stack: while the database is away this is said for every request. */
export function logUnavailable(log: FastifyBaseLogger, error: unknown): void {
  log.warn({ reason: toReason(error) }, 'the database does not answer')
}

/** Whether it failed because the database does not answer at present; another try may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    databaseUnavailable.some((code) => hasCode(error, code)) ||
    (error instanceof Error &&
      /^(Connection terminated|timeout exceeded when trying to connect|Client .* not queryable$)/.test(
        error.message,
      ))
  )
}
