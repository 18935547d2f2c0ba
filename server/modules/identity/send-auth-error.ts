import type { FastifyReply } from 'fastify'
import { isDatabaseAway } from '../../platform/errors.ts'
import { describeError } from '../../platform/log.ts'
import { Refusal, refusals } from './auth-errors.ts'
import type { Log } from './log.ts'

/** Answers `{ code, message }`. What is not a refusal is logged, without its values, and told as a failure. */
export function sendRefusal(reply: FastifyReply, error: unknown, log: Log): FastifyReply {
  const refusal = asRefusal(error)
  if (refusal.code === 'FAILED' || refusal.code === 'UNAVAILABLE') {
    log.error({ error: describeError(refusal.cause ?? error) }, 'identity provider: a call failed')
  }
  if (refusal.retryAfter) reply.header('retry-after', refusal.retryAfter)
  const { code, message } = refusal
  return reply.code(refusals[code].status).send({ code, message })
}

/** Fastify refuses bodies that are no JSON, or too long, by errors of its own. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isDatabaseAway(error)) return new Refusal('UNAVAILABLE', { retryAfter: 2, cause: error })
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return new Refusal(status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'FAILED', { cause: error })
}
