import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/ids.ts'
import type { Outbox } from '../mail/service.ts'
import { AuthError } from './auth-errors.ts'
import { hashToken } from './email-token.ts'
import * as queries from './queries.ts'

export interface ResetDeps {
  db: Kysely<Database>
  outbox: Outbox
  /** Hashes a password, with limited concurrency. */
  hash: (password: string) => Promise<string>
  /** Voids the account's access tokens, within the same transaction. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
}

/**
 * Sets a new password with the token of an email link. One transaction uses up the link, ends all sessions, voids
 * the access tokens and queues a notification.
 *
 * The link proves ownership of the email. If it was unverified, an attacker may have created the account, so all
 * other sign-in methods are deleted.
 *
 * @throws AuthError LINK_OVER
 */
export async function resetPassword(
  { db, outbox, hash, onPasswordReset }: ResetDeps,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const link = { purpose: 'password-reset', hash: hashToken(token) } as const
  // Checked first, so that invalid links cost no hashing.
  const owner = await queries.findTokenOwner(db, link)
  if (!owner) throw new AuthError('LINK_OVER')
  const passwordHash = await hash(password)

  await db.transaction().execute(async (tx) => {
    await outbox.cancel(tx, link.purpose, owner.email)
    const account = await queries.useToken(tx, link)
    if (!account) throw new AuthError('LINK_OVER')
    const { id: userId, email, emailVerified } = account
    if (!emailVerified) await queries.deleteOtherSignIns(tx, userId)
    await queries.markVerified(tx, userId)
    await queries.putPassword(tx, { userId, newId: newId(), passwordHash })
    await queries.endSessions(tx, userId)
    await onPasswordReset(tx, userId)
    await outbox.enqueue(tx, 'password-changed', email)
  })
  outbox.wake()
}

/**
 * Marks an account's email as verified. Requires a session of that account: otherwise the owner of the email could
 * confirm an account whose password an attacker knows.
 *
 * @throws AuthError LINK_OVER, LINK_NOT_YOURS (the link stays valid)
 */
export async function verifyEmail(
  { db, outbox }: Pick<ResetDeps, 'db'> & { outbox: Outbox | null },
  { token, userId }: { token: string; userId: string },
): Promise<void> {
  const link = { purpose: 'email-verification', hash: hashToken(token) } as const
  const owner = await queries.findTokenOwner(db, link)
  if (!owner) throw new AuthError('LINK_OVER')
  if (owner.id !== userId) throw new AuthError('LINK_NOT_YOURS')
  await db.transaction().execute(async (tx) => {
    await outbox?.cancel(tx, link.purpose, owner.email)
    if (!(await queries.useToken(tx, link))) throw new AuthError('LINK_OVER')
    await queries.markVerified(tx, userId)
  })
}
