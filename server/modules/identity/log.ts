import type { FastifyBaseLogger } from 'fastify'
import { describeError, withoutSecrets } from '../../platform/log.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/**
 * Writes better-auth's messages to the shop's log, without emails and database rows. Its own errors are mostly
 * wrong passwords, so only other errors are logged as errors.
 */
export function logWithoutPeople(log: Log): (level: string, message: string, ...details: unknown[]) => void {
  return (_level, message, ...details) => {
    const text = `identity provider: ${withoutSecrets(message)}`
    const error = details.find((detail) => detail instanceof Error && detail.name !== 'BetterAuthError')
    if (error) log.error({ error: describeError(error) }, text)
    else log.info(text)
  }
}
