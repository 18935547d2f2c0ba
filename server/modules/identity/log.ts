import type { FastifyBaseLogger } from 'fastify'
import { describeError, withoutSecrets } from '../../platform/log.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/**
 * Carries better-auth's messages into the shop's log. It names emails in some of them, and hands over database errors
 * whose detail quotes the row: both are cut out. What it calls an error is mostly someone's wrong password; an error
 * is what comes with one that is not its own.
 */
export function logWithoutPeople(log: Log): (level: string, message: string, ...details: unknown[]) => void {
  return (_level, message, ...details) => {
    const text = `identity provider: ${withoutSecrets(message)}`
    const error = details.find((detail) => detail instanceof Error && detail.name !== 'BetterAuthError')
    if (error) log.error({ error: describeError(error) }, text)
    else log.info(text)
  }
}
