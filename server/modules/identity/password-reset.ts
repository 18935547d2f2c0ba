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
  /** Hashes a password, in its turn. */
  hash: (password: string) => Promise<string>
  /** Voids what the shop gave to an account, within the same transaction. */
  onPasswordReset: (tx: Kysely<Database>, subject: string) => Promise<void>
}

/**
 * Sets the password that someone chose behind the link of a letter. All of it happens, or nothing: the link is used
 * up, every session and access token is void, and a letter says so.
 *
 * Following the link proves the address. Where no one had proved it before, whoever made the account may have been a
 * stranger who waited for its owner: so nothing but the new password opens it afterwards.
 *
 * @throws Refusal LINK_OVER
 */
export async function resetPassword(
  { db, outbox, hash, onPasswordReset }: ResetDeps,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const link = { purpose: 'password-reset', hash: hashToken(token) } as const
  // First, so that links that were made up cost no hashing.
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
 * Marks the email of an account as verified. Only whoever is signed in with that account can do so: else the owner of
 * an address could be led to confirm an account that a stranger made with it, and knows the password of.
 *
 * @throws Refusal LINK_OVER, LINK_NOT_YOURS (which leaves the link as it is)
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
