import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuthDeps } from './auth-deps.ts'
import { AuthError } from './auth-errors.ts'
import { registerEmailRoutes } from './email-routes.ts'
import { registerGoogleRoutes } from './google-routes.ts'
import { registerPasswordRoutes } from './password-routes.ts'
import { sendAuthError } from './send-auth-error.ts'
import { registerSessionRoutes } from './session-routes.ts'

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
