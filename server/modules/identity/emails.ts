import { createHash, createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { deriveKeys, type Secrets } from '../../platform/secrets/secrets.ts'
import { type EmailRenderers, emailContents, emailTtlMs } from '../mail/service.ts'
import * as repository from './repository.ts'

/**
 * Creates the emails about an account. They contain no user input, so the shop cannot be abused to write to third
 * parties. Link tokens follow the `#`, so they appear in no log and no Referer header.
 */
export function createEmails(origin: string, secrets: Secrets) {
  const keys = deriveKeys(secrets, 'email links')

  /**
   * Saves a new link token with 256 bits, derived from the email's id. A resent email has the same token, because
   * recipients drop the duplicate. The link expires with its email.
   */
  async function createToken(
    tx: Kysely<Database>,
    emailId: string,
    {
      userId,
      purpose,
      newEmail = null,
    }: { userId: string; purpose: repository.EmailLink['purpose']; newEmail?: string | null },
  ): Promise<string> {
    const toToken = (key: Buffer) => createHmac('sha256', key).update(emailId).digest('base64url')
    for (const key of keys.slice(1)) {
      // The email was sent before, by a process with another secret.
      const sent = toToken(key)
      if (await repository.findTokenOwner(tx, { purpose, hash: hashToken(sent) })) return sent
    }
    const token = toToken(keys[0])
    const seconds = emailTtlMs[purpose] / 1000
    await repository.saveToken(tx, { userId, purpose, hash: hashToken(token), seconds, newEmail })
    return token
  }

  return {
    async 'password-reset'(tx, { id, email }) {
      const account = await repository.findAccount(tx, email)
      if (!account) return null
      // Google has verified this email, so its account gets no link. If the email is unverified, using the link
      // proves ownership and signs everyone else out.
      if (account.passwordHash === null && account.emailVerified) {
        return emailContents.googleAccount(`${origin}/login`)
      }
      const token = await createToken(tx, id, { userId: account.id, purpose: 'password-reset' })
      return emailContents.passwordReset(`${origin}/reset-password#${token}`)
    },
    async 'email-verification'(tx, { id, email }) {
      const account = await repository.findAccount(tx, email)
      if (!account || account.emailVerified) return null
      const token = await createToken(tx, id, { userId: account.id, purpose: 'email-verification' })
      return emailContents.emailVerification(`${origin}/verify-email#${token}`)
    },
    async 'email-change'(tx, { id, email, subject }) {
      // The requester must not learn whether an email has an account.
      if (await repository.findAccount(tx, email)) return null
      const token = await createToken(tx, id, { userId: subject, purpose: 'email-change', newEmail: email })
      return emailContents.emailChange(`${origin}/confirm-email#${token}`)
    },
    'email-changed': async () => emailContents.emailChanged(`${origin}/contact-us`),
    'password-changed': async () => emailContents.passwordChanged(`${origin}/forgot-password`),
  } satisfies Partial<EmailRenderers>
}

/** Hash to store. The token has 256 unpredictable bits, so it needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
