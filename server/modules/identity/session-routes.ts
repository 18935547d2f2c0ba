import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from './auth-deps.ts'
import { readAuthError } from './auth-errors.ts'
import { callBetterAuth, forwardCookies } from './call-better-auth.ts'
import { calls } from './calls.ts'
import { parseBody } from './parse-body.ts'

/** Registers the routes that set the name, sign out, and return an ID token or its public keys. */
export function registerSessionRoutes(scope: FastifyInstance, { auth, origin }: AuthDeps): void {
  for (const call of [calls.setDisplayName, calls.signOut]) {
    scope.post(call.path, async (request, reply) => {
      const response = await callBetterAuth(auth, origin, call, request, parseBody(call, request.body))
      if (!response.ok) throw await readAuthError(response)
      forwardCookies(response, reply)
      return reply.code(204).send()
    })
  }

  for (const call of [calls.idToken, calls.publicKeys]) {
    scope.get(call.path, async (request, reply) => {
      const response = await callBetterAuth(auth, origin, call, request)
      if (!response.ok) throw await readAuthError(response)
      forwardCookies(response, reply)
      return reply.send(await response.json())
    })
  }
}
