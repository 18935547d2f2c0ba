import type { FastifyInstance } from 'fastify'
import type { Limiter } from '../../platform/limiter.ts'
import { AuthError, sendAuthError } from './auth-errors.ts'
import type { BetterAuth } from './better-auth.ts'
import { registerEmailRoutes } from './email-routes.ts'
import { registerGoogleRoutes } from './google.ts'
import { registerPasswordRoutes, registerSessionRoutes } from './password-routes.ts'
import type { KnownDevices, RateLimiter } from './rate-limits.ts'
import type { IdentityProviderOptions } from './service.ts'

/** Dependencies of the identity provider's routes. */
export interface AuthDeps extends IdentityProviderOptions {
  auth: BetterAuth
  rateLimiter: RateLimiter
  /** Limits concurrent password hashing: each takes a core and 16 MiB, and a sign-up also a connection. */
  hashLimiter: Limiter
  devices: KnownDevices
}

/** Registers all routes of the identity provider. better-auth is not reachable in any other way. */
export function registerAuthRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  scope.removeContentTypeParser('text/plain')
  scope.setErrorHandler((error, _request, reply) => sendAuthError(reply, error, deps.log))
  scope.setNotFoundHandler(() => {
    throw new AuthError('NOT_FOUND')
  })
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // CSRF check: only the shop's pages may sign a user up, in or out. Browsers send `Origin` with every POST.
    if (request.method !== 'GET' && request.headers.origin !== deps.origin)
      throw new AuthError('FOREIGN_ORIGIN')
    await deps.rateLimiter.countIp('callsPerIp', request.ip)
  })

  registerPasswordRoutes(scope, deps)
  registerEmailRoutes(scope, deps)
  registerSessionRoutes(scope, deps)
  registerGoogleRoutes(scope, deps)
}
