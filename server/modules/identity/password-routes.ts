import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from './auth-deps.ts'
import { AuthError, readAuthError } from './auth-errors.ts'
import { callBetterAuth, forwardCookies } from './call-better-auth.ts'
import { calls } from './calls.ts'
import { parseBody } from './parse-body.ts'
import * as queries from './queries.ts'
import { hasAccount } from './repository.ts'

/** Sign-up and sign-in with email and password. Both respond with 204 and a session cookie. */
export function registerPasswordRoutes(
  scope: FastifyInstance,
  { auth, pool, db, outbox, origin, rateLimiter, hashLimiter, devices, mergeSignInMessages }: AuthDeps,
): void {
  scope.post(calls.signUp.path, async (request, reply) => {
    await rateLimiter.countIp('signUpsPerIp', request.ip)
    const body = parseBody(calls.signUp, request.body)
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
    const body = parseBody(calls.signIn, request.body)
    const rateLimitKey = devices.recognise(request.headers.cookie, body.email) ?? body.email
    await rateLimiter.count('failuresPerEmail', rateLimitKey)
    const hash = await queries.findPasswordHash(db, body.email)
    const response = await hashLimiter(() => callBetterAuth(auth, origin, calls.signIn, request, body))
    if (!response.ok) throw await signInError(response, body.email)
    // The password was reset during hashing: that ended all sessions except this newer one.
    if ((await queries.findPasswordHash(db, body.email)) !== hash) {
      await queries.endAllSessions(db, body.email)
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
    const isTaken = error.code === 'FAILED' && (await hasAccount(pool, email))
    return isTaken ? new AuthError('EMAIL_TAKEN') : error
  }

  /**
   * Both messages take the same time: better-auth always hashes the password, and the look-up always follows. An
   * account without a password also gets WRONG_PASSWORD, which hides its sign-in method.
   */
  async function signInError(response: Response, email: string): Promise<AuthError> {
    const error = await readAuthError(response)
    if (error.code !== 'SIGN_IN_FAILED' || mergeSignInMessages) return error
    return new AuthError((await hasAccount(pool, email)) ? 'WRONG_PASSWORD' : 'NO_ACCOUNT')
  }
}
