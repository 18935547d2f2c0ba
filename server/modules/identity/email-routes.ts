import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { passwordMinimum } from '../../../contract/customers.ts'
import { email } from '../../../contract/fields.ts'
import { inTransaction, newId } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import type { Outbox } from '../mail/service.ts'
import type { AuthDeps } from './auth-deps.ts'
import { idTokenIssuer, parseBody, passwordMaximum, requireSession } from './better-auth.ts'
import { hashToken } from './emails.ts'
import * as repository from './repository.ts'

const token = z.string().check(z.minLength(1), z.maxLength(200))
const ResetRequest = z.strictObject({ email })
const Reset = z.strictObject({ token, password: z.string().check(z.maxLength(1024)) })
const Verification = z.strictObject({ token })

/**
 * Password reset and email verification. They replace better-auth's own, where older links stay valid, verification
 * links work repeatedly, and a reset is not one transaction.
 */
export function registerEmailRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  const { db, rateLimiter, devices } = deps
  const requireOutbox = (): Outbox => {
    if (!deps.outbox) throw new ShopError('MAIL_OFF')
    return deps.outbox
  }

  // The account is looked up when the email is rendered. Response and timing do not depend on whether it exists.
  scope.post('/request-password-reset', async (request, reply) => {
    const outbox = requireOutbox()
    await rateLimiter.countIp('resetRequestsPerIp', request.ip)
    const body = parseBody(ResetRequest, request.body)
    const rateLimitKey = devices.toRateLimitKey(request.headers.cookie, body.email)
    await rateLimiter.count('resetRequestsPerEmail', rateLimitKey)
    await outbox.enqueue(db, 'password-reset', body.email)
    outbox.wake()
    return reply.code(204).send()
  })

  scope.post('/reset-password', async (request, reply) => {
    const outbox = requireOutbox()
    await rateLimiter.countIp('linksPerIp', request.ip)
    const body = parseBody(Reset, request.body)
    if (body.password.length < passwordMinimum) throw new ShopError('PASSWORD_TOO_SHORT')
    if (body.password.length > passwordMaximum) throw new ShopError('PASSWORD_TOO_LONG')
    const owner = await resetPassword(deps, outbox, body)
    // Wrong passwords from others must not keep out an owner who has just proved ownership.
    reply.header('set-cookie', devices.remember(owner))
    return reply.code(204).send()
  })

  scope.post('/send-verification-email', async (request, reply) => {
    const outbox = requireOutbox()
    parseBody(z.strictObject({}), request.body)
    const { user } = await requireSession(deps, request)
    await rateLimiter.count('verificationsPerEmail', user.email)
    await outbox.enqueue(db, 'email-verification', user.email)
    outbox.wake()
    return reply.code(204).send()
  })

  scope.post('/verify-email', async (request, reply) => {
    await rateLimiter.countIp('linksPerIp', request.ip)
    const body = parseBody(Verification, request.body)
    const { user } = await requireSession(deps, request)
    await verifyEmail(deps, body.token, user)
    return reply.code(204).send()
  })

  scope.get('/email', async (request) => {
    const { user } = await requireSession(deps, request)
    return { email: user.email, verified: user.emailVerified }
  })
}

/**
 * Sets a new password with the token of an email link. One transaction uses up the link, ends all sessions, voids
 * the access tokens and queues a notification.
 *
 * The link proves ownership of the email. If it was unverified, an attacker may have created the account, so all
 * other sign-in methods are deleted, and what its customer has saved: an order could go to the attacker's address.
 *
 * @returns the email
 * @throws LINK_OVER
 */
async function resetPassword(
  { auth, db, hashLimiter, voidAccessTokens, clearCustomer }: AuthDeps,
  outbox: Outbox,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const link = { purpose: 'password-reset', hash: hashToken(token) } as const
  // Checked first, so that invalid links cost no hashing.
  const owner = await repository.findTokenOwner(db, link)
  if (!owner) throw new ShopError('LINK_OVER')
  const passwordHash = await hashLimiter(async () => (await auth.$context).password.hash(password))

  await inTransaction(db, async (tx) => {
    await outbox.cancel(tx, link.purpose, owner.email)
    const account = await repository.useToken(tx, link)
    if (!account) throw new ShopError('LINK_OVER')
    const { id: userId, email, emailVerified } = account
    if (!emailVerified) await repository.deleteOtherSignIns(tx, userId)
    await repository.markVerified(tx, userId)
    await repository.putPassword(tx, { userId, newId: newId(), passwordHash })
    await repository.endSessions(tx, userId)
    await repository.deleteTokens(tx, userId)
    const identity = { issuer: idTokenIssuer, subject: userId }
    await voidAccessTokens(tx, identity)
    if (!emailVerified) await clearCustomer(tx, identity)
    await outbox.enqueue(tx, 'password-changed', email)
  })
  outbox.wake()
  return owner.email
}

/**
 * Marks an account's email as verified. Requires a session of that account: otherwise the owner of the email could
 * confirm an account whose password an attacker knows.
 *
 * @throws LINK_OVER, LINK_NOT_YOURS (the link stays valid)
 */
async function verifyEmail(
  { db, outbox }: AuthDeps,
  token: string,
  user: { id: string; email: string },
): Promise<void> {
  const link = { purpose: 'email-verification', hash: hashToken(token) } as const
  await inTransaction(db, async (tx) => {
    await outbox?.cancel(tx, link.purpose, user.email)
    const account = await repository.useToken(tx, link)
    if (!account) throw new ShopError('LINK_OVER')
    if (account.id !== user.id) throw new ShopError('LINK_NOT_YOURS')
    await repository.markVerified(tx, user.id)
  })
}
