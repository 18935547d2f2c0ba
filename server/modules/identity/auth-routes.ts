import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { email, requiredLine } from '../../../contract/fields.ts'
import { ShopError, sendNotFound } from '../../platform/errors.ts'
import { groupIp } from '../../platform/http/ip.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  type AuthSecrets,
  forwardCookies,
  isUserCreationFailure,
  parseBody,
  renewSessionCookie,
  toAuthHeaders,
  toShopError,
} from './better-auth.ts'
import { registerEmailRoutes } from './email-routes.ts'
import { registerGoogleRoutes } from './google.ts'
import * as repository from './repository.ts'
import { registerSecurityRoutes } from './security-routes.ts'

const name = requiredLine(120, 'Name is required')
// better-auth checks the allowed length and reports whether it is too short or too long.
const password = z.string().check(z.minLength(1), z.maxLength(1024))
const SignUp = z.strictObject({ email, password, name })
const SignIn = z.strictObject({ email, password })
const DisplayName = z.strictObject({ name })
const Nothing = z.strictObject({})

/**
 * Registers all routes of the identity provider. better-auth is not reachable in any other way. Its other endpoints,
 * such as listing sessions, are deliberately missing.
 */
export function registerAuthRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  scope.removeContentTypeParser('text/plain')
  scope.setErrorHandler((error) => {
    throw toShopError(error)
  })
  scope.setNotFoundHandler(sendNotFound)
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    // CSRF check: only the shop's pages may sign a user up, in or out. Browsers send `Origin` with every POST.
    if (request.method !== 'GET' && request.headers.origin !== deps.origin)
      throw new ShopError('FOREIGN_ORIGIN')
  })
  // Runs after the body has arrived: a request whose body does not arrive costs no statement.
  scope.addHook('preValidation', async (request, reply) => {
    await deps.rateLimiter.countIp('callsPerIp', request.ip)
    const renewed = await renewSessionCookie(deps.auth, request, deps.authSecrets)
    // The cookies of a sign-in or a sign-out follow in the same response, and the last one counts.
    if (renewed) reply.header('set-cookie', renewed)
  })

  registerPasswordRoutes(scope, deps)
  registerSessionRoutes(scope, deps)
  registerEmailRoutes(scope, deps)
  registerSecurityRoutes(scope, deps)
  registerGoogleRoutes(scope, deps)
}

/** Sign-up and sign-in with email and password. Both respond with 204 and a session cookie. */
function registerPasswordRoutes(
  scope: FastifyInstance,
  { auth, db, authSecrets, outbox, rateLimiter, hashLimiter, devices, mergeSignInMessages }: AuthDeps,
): void {
  scope.post('/sign-up/email', async (request, reply) => {
    await rateLimiter.countIp('signUpsPerIp', request.ip)
    const body = parseBody(SignUp, request.body)
    await rateLimiter.count('signUpsPerEmail', body.email)
    const signUp = () => auth.api.signUpEmail({ body, ...onBehalf(request, authSecrets) })
    const { headers } = await hashLimiter(signUp).catch(async (error: unknown) => {
      if (!isUserCreationFailure(error)) throw error
      // Of two concurrent sign-ups one fails in the database.
      const isTaken = await repository.findAccount(db, body.email)
      throw isTaken ? new ShopError('EMAIL_TAKEN', { cause: error }) : error
    })
    await outbox?.enqueue(db, 'email-verification', body.email)
    outbox?.wake()
    reply.header('set-cookie', devices.remember(body.email))
    return sendCookies(reply, headers)
  })

  scope.post('/sign-in/email', async (request, reply) => {
    await rateLimiter.countIp('signInsPerIp', request.ip)
    const body = parseBody(SignIn, request.body)
    const rateLimitKey = devices.toRateLimitKey(request.headers.cookie, body.email)
    const isKnown = rateLimitKey !== body.email
    // Count the network first: above its limit, attempts do not count against the email.
    const networkKey = isKnown ? rateLimitKey : `${groupIp(request.ip)} ${body.email}`
    await rateLimiter.count('failuresPerNetwork', networkKey)
    if (!isKnown) await rateLimiter.count('failuresPerEmail', body.email)
    const before = await repository.findAccount(db, body.email)
    const signIn = () => auth.api.signInEmail({ body, ...onBehalf(request, authSecrets) })
    const { headers } = await hashLimiter(signIn).catch(async (error: unknown) => {
      throw await explainFailure(toShopError(error), body.email)
    })
    // The password was reset during hashing: that ended all sessions except this newer one.
    const account = await repository.findAccount(db, body.email)
    if (account?.passwordHash !== before?.passwordHash) {
      if (account) await repository.endSessions(db, account.id)
      throw new ShopError(mergeSignInMessages ? 'SIGN_IN_FAILED' : 'WRONG_PASSWORD')
    }
    await rateLimiter.clear('failuresPerNetwork', networkKey)
    if (!isKnown) await rateLimiter.clear('failuresPerEmail', body.email)
    reply.header('set-cookie', devices.remember(body.email))
    return sendCookies(reply, headers)
  })

  /**
   * Both messages take the same time: better-auth always hashes the password, and the look-up always follows. An
   * account without a password also gets WRONG_PASSWORD, which hides its sign-in method.
   */
  async function explainFailure(error: unknown, email: string): Promise<unknown> {
    const isRejected = error instanceof ShopError && error.code === 'SIGN_IN_FAILED'
    if (!isRejected || mergeSignInMessages) return error
    return new ShopError((await repository.findAccount(db, email)) ? 'WRONG_PASSWORD' : 'NO_ACCOUNT')
  }
}

/** Registers the routes that set the name, sign out, and return an ID token or its public keys. */
function registerSessionRoutes(scope: FastifyInstance, { auth, authSecrets }: AuthDeps): void {
  scope.post('/update-user', async (request, reply) => {
    const body = parseBody(DisplayName, request.body)
    const { headers } = await auth.api.updateUser({ body, ...onBehalf(request, authSecrets) })
    return sendCookies(reply, headers)
  })
  scope.post('/sign-out', async (request, reply) => {
    parseBody(Nothing, request.body)
    const { headers } = await auth.api.signOut(onBehalf(request, authSecrets))
    return sendCookies(reply, headers)
  })
  scope.get('/token', async (request, reply) => {
    const { headers, response } = await auth.api.getToken(onBehalf(request, authSecrets))
    forwardCookies(headers, reply)
    return response
  })
  scope.get('/jwks', () => auth.api.getJwks())
}

const onBehalf = (request: FastifyRequest, authSecrets: AuthSecrets) =>
  ({ headers: toAuthHeaders(request, authSecrets), returnHeaders: true }) as const

function sendCookies(reply: FastifyReply, headers: Headers): FastifyReply {
  forwardCookies(headers, reply)
  return reply.code(204).send()
}
