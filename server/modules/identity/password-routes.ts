import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { email, requiredLine } from '../../../contract/fields.ts'
import { AuthError, parseBody, readAuthError } from './auth-errors.ts'
import type { AuthDeps } from './auth-routes.ts'
import { type Call, callBetterAuth, forwardCookies } from './better-auth.ts'
import * as repository from './repository.ts'

const name = requiredLine(120, 'Name is required')
// better-auth checks the allowed length and reports whether it is too short or too long.
const password = z.string().check(z.minLength(1), z.maxLength(1024))

/**
 * The calls that are forwarded to better-auth. Others, such as changing an email or listing sessions, are
 * deliberately missing. Unknown body fields are rejected.
 */
const calls = {
  signUp: { method: 'POST', path: '/sign-up/email', body: z.strictObject({ email, password, name }) },
  signIn: { method: 'POST', path: '/sign-in/email', body: z.strictObject({ email, password }) },
  setDisplayName: { method: 'POST', path: '/update-user', body: z.strictObject({ name }) },
  signOut: { method: 'POST', path: '/sign-out', body: z.strictObject({}) },
  idToken: { method: 'GET', path: '/token' },
  publicKeys: { method: 'GET', path: '/jwks' },
} as const

/** Sign-up and sign-in with email and password. Both respond with 204 and a session cookie. */
export function registerPasswordRoutes(
  scope: FastifyInstance,
  { auth, db, outbox, origin, rateLimiter, hashLimiter, devices, mergeSignInMessages }: AuthDeps,
): void {
  scope.post(calls.signUp.path, async (request, reply) => {
    await rateLimiter.countIp('signUpsPerIp', request.ip)
    const body = parseBody(calls.signUp.body, request.body)
    await rateLimiter.count('signUpsPerEmail', body.email)
    const response = await hashLimiter(() => callBetterAuth(auth, origin, calls.signUp, request, body))
    if (!response.ok) throw await signUpError(response, body.email)
    await outbox?.enqueue(db, 'email-verification', body.email)
    outbox?.wake()
    forwardCookies(response, reply)
    reply.header('set-cookie', devices.remember(body.email))
    return reply.code(204).send()
  })

  scope.post(calls.signIn.path, async (request, reply) => {
    await rateLimiter.countIp('signInsPerIp', request.ip)
    const body = parseBody(calls.signIn.body, request.body)
    const rateLimitKey = devices.recognise(request.headers.cookie, body.email) ?? body.email
    await rateLimiter.count('failuresPerEmail', rateLimitKey)
    const before = await repository.findAccount(db, body.email)
    const response = await hashLimiter(() => callBetterAuth(auth, origin, calls.signIn, request, body))
    if (!response.ok) throw await signInError(response, body.email)
    // The password was reset during hashing: that ended all sessions except this newer one.
    const account = await repository.findAccount(db, body.email)
    if (account?.passwordHash !== before?.passwordHash) {
      if (account) await repository.endSessions(db, account.id)
      throw new AuthError(mergeSignInMessages ? 'SIGN_IN_FAILED' : 'WRONG_PASSWORD')
    }
    await rateLimiter.clear('failuresPerEmail', rateLimitKey)
    forwardCookies(response, reply)
    reply.header('set-cookie', devices.remember(body.email))
    return reply.code(204).send()
  })

  async function signUpError(response: Response, email: string): Promise<AuthError> {
    const error = await readAuthError(response)
    // Of two concurrent sign-ups one fails in the database, and better-auth does not report why.
    const isTaken = error.code === 'FAILED' && (await repository.findAccount(db, email))
    return isTaken ? new AuthError('EMAIL_TAKEN') : error
  }

  /**
   * Both messages take the same time: better-auth always hashes the password, and the look-up always follows. An
   * account without a password also gets WRONG_PASSWORD, which hides its sign-in method.
   */
  async function signInError(response: Response, email: string): Promise<AuthError> {
    const error = await readAuthError(response)
    if (error.code !== 'SIGN_IN_FAILED' || mergeSignInMessages) return error
    return new AuthError((await repository.findAccount(db, email)) ? 'WRONG_PASSWORD' : 'NO_ACCOUNT')
  }
}

/** Registers the routes that set the name, sign out, and return an ID token or its public keys. */
export function registerSessionRoutes(scope: FastifyInstance, { auth, origin }: AuthDeps): void {
  const forward = async (call: Call, request: FastifyRequest, reply: FastifyReply, body?: object) => {
    const response = await callBetterAuth(auth, origin, call, request, body)
    if (!response.ok) throw await readAuthError(response)
    forwardCookies(response, reply)
    return response
  }
  for (const call of [calls.setDisplayName, calls.signOut]) {
    scope.post(call.path, async (request, reply) => {
      await forward(call, request, reply, parseBody(call.body, request.body))
      return reply.code(204).send()
    })
  }
  for (const call of [calls.idToken, calls.publicKeys]) {
    scope.get(call.path, async (request, reply) => (await forward(call, request, reply)).json())
  }
}
