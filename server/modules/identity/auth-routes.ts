import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FrontDoorDeps } from './auth-deps.ts'
import { Refusal } from './auth-errors.ts'
import { registerMailCalls } from './email-routes.ts'
import { registerGoogleCalls } from './google-routes.ts'
import { registerPasswordCalls } from './password-routes.ts'
import { sendRefusal } from './send-auth-error.ts'
import { registerSessionCalls } from './session-routes.ts'

/** Registers the calls of the identity provider; there is no other way to better-auth. */
export function registerFrontDoor(door: FastifyInstance, deps: FrontDoorDeps): void {
  const origins = new Set([deps.origin, ...deps.trustedOrigins])

  door.removeContentTypeParser('text/plain')
  door.setErrorHandler((error, _request, reply) => sendRefusal(reply, error, deps.log))
  door.setNotFoundHandler(() => {
    throw new Refusal('NOT_FOUND')
  })
  door.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isForeign(request, origins)) throw new Refusal('FOREIGN_ORIGIN')
    await deps.tries.countAddress('callsPerAddress', request.ip)
  })

  registerPasswordCalls(door, deps)
  registerMailCalls(door, deps)
  registerSessionCalls(door, deps)
  registerGoogleCalls(door, deps)
}

/** A page elsewhere must not sign anybody up, in or out. Every browser says where a POST comes from. */
function isForeign({ method, headers }: FastifyRequest, origins: ReadonlySet<string>): boolean {
  return method !== 'GET' && !origins.has(headers.origin ?? '')
}
