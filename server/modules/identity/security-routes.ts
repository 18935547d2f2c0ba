import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { passwordMinimum } from '../../../contract/customers.ts'
import { email } from '../../../contract/fields.ts'
import { inTransaction, newId, rejectTaken } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { groupIp } from '../../platform/http/ip.ts'
import type { AuthDeps } from './auth-deps.ts'
import {
  forwardCookies,
  idTokenIssuer,
  parseBody,
  passwordMaximum,
  requireSession,
  toAuthHeaders,
} from './better-auth.ts'
import { hashToken } from './emails.ts'
import * as repository from './repository.ts'

const password = z.string().check(z.minLength(1), z.maxLength(1024))
const PasswordChange = z.strictObject({ currentPassword: password, password })
const EmailChange = z.strictObject({ email, password })
const Confirmation = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/**
 * Changes of the own account by its signed-in user. They replace better-auth's own, which neither void the shop's
 * access tokens nor queue the email in the same transaction. A stolen session is not enough: passwords are asked again.
 */
export function registerSecurityRoutes(scope: FastifyInstance, deps: AuthDeps): void {
  const { auth, db, authSecrets, outbox, rateLimiter, hashLimiter, voidAccessTokens } = deps

  scope.post('/change-password', async (request, reply) => {
    const body = parseBody(PasswordChange, request.body)
    if (body.password.length < passwordMinimum) throw new ShopError('PASSWORD_TOO_SHORT')
    if (body.password.length > passwordMaximum) throw new ShopError('PASSWORD_TOO_LONG')
    const { user, session } = await requireSession(deps, request)
    const checkedHash = await requirePassword(request, user.email, body.currentPassword)
    const passwordHash = await hashLimiter(async () => (await auth.$context).password.hash(body.password))
    await inTransaction(db, async (tx) => {
      const account = await repository.lockAccount(tx, user.id)
      // It was changed or reset in the meantime.
      if (account?.passwordHash !== checkedHash) throw new ShopError('WRONG_PASSWORD')
      await repository.putPassword(tx, { userId: user.id, newId: newId(), passwordHash })
      await repository.endSessions(tx, user.id, session.id)
      await repository.deleteTokens(tx, user.id)
      await voidAccessTokens(tx, { issuer: idTokenIssuer, subject: user.id })
      await outbox?.enqueue(tx, 'password-changed', account.email)
    })
    outbox?.wake()
    return reply.code(204).send()
  })

  scope.post('/sign-out-everywhere', async (request, reply) => {
    parseBody(z.strictObject({}), request.body)
    const { user } = await requireSession(deps, request)
    await inTransaction(db, async (tx) => {
      await repository.endSessions(tx, user.id)
      await voidAccessTokens(tx, { issuer: idTokenIssuer, subject: user.id })
    })
    const { headers } = await auth.api.signOut({
      headers: toAuthHeaders(request, authSecrets),
      returnHeaders: true,
    })
    forwardCookies(headers, reply)
    return reply.code(204).send()
  })

  // Neither the response nor its time depends on whether the new email has an account.
  scope.post('/request-email-change', async (request, reply) => {
    if (!outbox) throw new ShopError('MAIL_OFF')
    const body = parseBody(EmailChange, request.body)
    const { user } = await requireSession(deps, request)
    await requirePassword(request, user.email, body.password)
    await rateLimiter.countIp('emailChangesPerIp', request.ip)
    await rateLimiter.count('verificationsPerEmail', user.email)
    await rateLimiter.count('emailChangesPerEmail', body.email)
    await inTransaction(db, async (tx) => {
      // The link in an earlier email, which may still be queued, is void.
      await outbox.withdraw(tx, 'email-change', user.id)
      await outbox.enqueue(tx, 'email-change', body.email, user.id)
    })
    outbox.wake()
    return reply.code(204).send()
  })

  scope.post('/confirm-email-change', async (request, reply) => {
    await rateLimiter.countIp('linksPerIp', request.ip)
    const body = parseBody(Confirmation, request.body)
    const { user } = await requireSession(deps, request)
    await changeEmail(deps, body.token, user)
    return reply.code(204).send()
  })

  scope.get('/account', async (request) => {
    const { user } = await requireSession(deps, request)
    const account = await repository.findAccount(db, user.email)
    return { email: user.email, hasPassword: typeof account?.passwordHash === 'string' }
  })

  /** Checks a password with the limits of a sign-in. Returns the hash that it matches. @throws WRONG_PASSWORD */
  async function requirePassword(request: FastifyRequest, email: string, given: string): Promise<string> {
    await rateLimiter.countIp('signInsPerIp', request.ip)
    const rateLimitKey = `${groupIp(request.ip)} ${email}`
    await rateLimiter.count('failuresPerNetwork', rateLimitKey)
    const hash = (await repository.findAccount(db, email))?.passwordHash
    const isRight =
      typeof hash === 'string' &&
      (await hashLimiter(async () => (await auth.$context).password.verify({ hash, password: given })))
    if (!isRight) throw new ShopError('WRONG_PASSWORD')
    await rateLimiter.clear('failuresPerNetwork', rateLimitKey)
    return hash
  }
}

/**
 * Sets the new email of an account with the token from that mailbox, and notifies the old one. Requires a session of the
 * account: the owner of the new mailbox must not confirm a stranger's account.
 *
 * @throws LINK_OVER, LINK_NOT_YOURS (the link stays valid), EMAIL_TAKEN
 */
async function changeEmail(
  { db, outbox, changeCustomerEmail }: AuthDeps,
  token: string,
  user: { id: string },
): Promise<void> {
  const link = { purpose: 'email-change', hash: hashToken(token) } as const
  await inTransaction(db, async (tx) => {
    const account = await repository.useToken(tx, link)
    if (!account?.newEmail) throw new ShopError('LINK_OVER')
    if (account.id !== user.id) throw new ShopError('LINK_NOT_YOURS')
    await repository
      .setEmail(tx, user.id, account.newEmail)
      .catch(rejectTaken({ user_email_key: 'EMAIL_TAKEN' }))
    // Links to the old email must not open the account any more.
    await repository.deleteTokens(tx, user.id)
    await changeCustomerEmail(tx, { issuer: idTokenIssuer, subject: user.id }, account.newEmail)
    await outbox?.enqueue(tx, 'email-changed', account.email, user.id)
  })
  outbox?.wake()
}
