import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { passwordMinimum } from '../../../contract/customers.ts'
import { email } from '../../../contract/fields.ts'
import type { Outbox } from '../mail/service.ts'
import type { AuthDeps } from './auth-deps.ts'
import { AuthError } from './auth-errors.ts'
import { passwordMaximum } from './better-auth.ts'
import { parseBody } from './parse-body.ts'
import { resetPassword, verifyEmail } from './password-reset.ts'

const token = z.string().check(z.minLength(1), z.maxLength(200))
const calls = {
  requestReset: { path: '/request-password-reset', body: z.strictObject({ email }) },
  reset: {
    path: '/reset-password',
    body: z.strictObject({ token, password: z.string().check(z.maxLength(1024)) }),
  },
  sendVerification: { path: '/send-verification-email', body: z.strictObject({}) },
  verify: { path: '/verify-email', body: z.strictObject({ token }) },
  email: { path: '/email' },
} as const

/**
 * Password reset and email verification. They replace better-auth's own, where older links stay valid, verification
 * links work repeatedly, and a reset is not one transaction.
 */
export function registerEmailRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  const { auth, db, rateLimiter, hashLimiter, devices, onPasswordReset } = deps
  const requireOutbox = (): Outbox => {
    if (!deps.outbox) throw new AuthError('MAIL_OFF')
    return deps.outbox
  }
  const hash = (password: string) => hashLimiter(async () => (await auth.$context).password.hash(password))

  // The account is looked up when the email is rendered. Response and timing do not depend on whether it exists.
  scope.post(calls.requestReset.path, async (request, reply) => {
    const outbox = requireOutbox()
    await rateLimiter.countIp('resetRequestsPerIp', request.ip)
    const body = parseBody(calls.requestReset, request.body)
    await rateLimiter.count(
      'resetRequestsPerEmail',
      devices.recognise(request.headers.cookie, body.email) ?? body.email,
    )
    await outbox.enqueue(db, 'password-reset', body.email)
    outbox.wake()
    return reply.code(204).send()
  })

  scope.post(calls.reset.path, async (request, reply) => {
    const outbox = requireOutbox()
    await rateLimiter.countIp('linksPerIp', request.ip)
    const body = parseBody(calls.reset, request.body)
    if (body.password.length < passwordMinimum) throw new AuthError('PASSWORD_TOO_SHORT')
    if (body.password.length > passwordMaximum) throw new AuthError('PASSWORD_TOO_LONG')
    await resetPassword({ db, outbox, hash, onPasswordReset }, body)
    return reply.code(204).send()
  })

  scope.post(calls.sendVerification.path, async (request, reply) => {
    const outbox = requireOutbox()
    parseBody(calls.sendVerification, request.body)
    const user = await requireUser(request)
    await rateLimiter.count('verificationsPerEmail', user.email)
    await outbox.enqueue(db, 'email-verification', user.email)
    outbox.wake()
    return reply.code(204).send()
  })

  scope.post(calls.verify.path, async (request, reply) => {
    await rateLimiter.countIp('linksPerIp', request.ip)
    const body = parseBody(calls.verify, request.body)
    const user = await requireUser(request)
    await verifyEmail({ db, outbox: deps.outbox }, { token: body.token, userId: user.id })
    return reply.code(204).send()
  })

  scope.get(calls.email.path, async (request) => {
    const user = await requireUser(request)
    return { email: user.email, verified: user.emailVerified }
  })

  async function requireUser({ headers }: FastifyRequest) {
    const session = await auth.api.getSession({
      headers: new Headers({ cookie: headers.cookie ?? '' }),
      // A refreshed session would need its new cookie forwarded.
      query: { disableRefresh: true },
    })
    if (!session) throw new AuthError('NOT_SIGNED_IN')
    return session.user
  }
}
