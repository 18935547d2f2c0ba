import type { FastifyReply } from 'fastify'
import { isDatabaseUnavailable } from '../../platform/errors.ts'
import { describeError } from '../../platform/log.ts'
import { AuthError, authErrors } from './auth-errors.ts'
import type { Log } from './log.ts'

/** Sends `{ code, message }`. Logs unexpected errors, without their values. */
export function sendAuthError(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const failure = toAuthError(error)
  if (failure.code === 'FAILED' || failure.code === 'UNAVAILABLE') {
    log.error({ error: describeError(failure.cause ?? error) }, 'identity provider: call failed')
  }
  if (failure.retryAfter) reply.header('retry-after', failure.retryAfter)
  const { code, message } = failure
  return reply.code(authErrors[code].status).send({ code, message })
}

/** Fastify throws its own errors for bodies that are too long or not valid JSON. */
export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (isDatabaseUnavailable(error)) return new AuthError('UNAVAILABLE', { retryAfter: 2, cause: error })
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return new AuthError(status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'FAILED', { cause: error })
}
