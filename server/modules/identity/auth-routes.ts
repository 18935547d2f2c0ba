import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import type { Limiter } from '../../platform/limiter.ts'
import type { Outbox } from '../mail/service.ts'
import { AuthError, sendAuthError } from './auth-errors.ts'
import type { BetterAuth, Log } from './better-auth.ts'
import { registerEmailRoutes } from './email-routes.ts'
import { type GoogleProvider, registerGoogleRoutes } from './google.ts'
import { registerPasswordRoutes, registerSessionRoutes } from './password-routes.ts'
import type { KnownDevices, RateLimiter } from './rate-limits.ts'

/** Dependencies of the identity provider's routes. */
export interface AuthDeps {
  auth: BetterAuth
  pool: Pool
  db: Kysely<Database>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids the account's access tokens, in the transaction that sets a new password. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
  /** Public origin of the shop. Only its pages and those of `trustedOrigins` may send POST requests. */
  origin: string
  trustedOrigins: readonly string[]
  google: GoogleProvider | null
  rateLimiter: RateLimiter
  /** Limits concurrent password hashing: each takes a core and 16 MiB, and a sign-up also a connection. */
  hashLimiter: Limiter
  devices: KnownDevices
  mergeSignInMessages: boolean
  log: Log
}

/** Registers all routes of the identity provider. better-auth is not reachable in any other way. */
export function registerAuthRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  const origins = new Set([deps.origin, ...deps.trustedOrigins])

  scope.removeContentTypeParser('text/plain')
  scope.setErrorHandler((error, _request, reply) => sendAuthError(reply, error, deps.log))
  scope.setNotFoundHandler(() => {
    throw new AuthError('NOT_FOUND')
  })
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isForeign(request, origins)) throw new AuthError('FOREIGN_ORIGIN')
    await deps.rateLimiter.countIp('callsPerIp', request.ip)
  })

  registerPasswordRoutes(scope, deps)
  registerEmailRoutes(scope, deps)
  registerSessionRoutes(scope, deps)
  registerGoogleRoutes(scope, deps)
}

/** CSRF check: only trusted origins may sign a user up, in or out. Browsers send `Origin` with every POST. */
function isForeign({ method, headers }: FastifyRequest, origins: ReadonlySet<string>): boolean {
  return method !== 'GET' && !origins.has(headers.origin ?? '')
}
