import { createHash, createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { deriveKey } from '../../platform/secrets.ts'
import { type EmailRenderers, emailTtlMs } from '../mail/service.ts'
import * as repository from './repository.ts'

/**
 * Creates the emails about an account. They contain no user input, so the shop cannot be abused to write to third
 * parties. Link tokens follow the `#`, so they appear in no log and no Referer header.
 */
export function createEmails(origin: string, secret: string): Omit<EmailRenderers, 'order-expired'> {
  const key = deriveKey(secret, 'email links')

  /**
   * Saves a new link token with 256 bits, derived from the email's id. A resent email has the same token, because
   * recipients drop the duplicate. The link expires with its email.
   */
  async function createToken(
    tx: Kysely<Database>,
    emailId: string,
    { userId, purpose }: { userId: string; purpose: repository.EmailLink['purpose'] },
  ): Promise<string> {
    const token = createHmac('sha256', key).update(emailId).digest('base64url')
    const seconds = emailTtlMs[purpose] / 1000
    await repository.saveToken(tx, { userId, purpose, hash: hashToken(token), seconds })
    return token
  }

  return {
    async 'password-reset'(tx, { id, email }) {
      const account = await repository.findAccount(tx, email)
      if (!account) return null
      // Google has verified this email, so its account gets no link. If the email is unverified, using the link
      // proves ownership and signs everyone else out.
      if (account.passwordHash === null && account.emailVerified) {
        return {
          subject: 'Your account uses Google',
          body: [
            'We received a request to reset the password of your Torque Yard account.',
            'Your account has no password. Use “Sign in using Google”.',
            { label: 'Log in', url: `${origin}/login` },
            "If you didn't request this, ignore this email.",
          ],
        }
      }
      const token = await createToken(tx, id, { userId: account.id, purpose: 'password-reset' })
      return {
        subject: 'Choose a new password',
        body: [
          'We received a request to reset the password of your Torque Yard account.',
          { label: 'Choose a new password', url: `${origin}/reset-password#${token}` },
          'The link works once and expires in one hour. A new password logs you out on all devices.',
          "If you didn't request this, ignore this email. Your password won't change.",
        ],
      }
    },
    async 'email-verification'(tx, { id, email }) {
      const account = await repository.findAccount(tx, email)
      if (!account || account.emailVerified) return null
      const token = await createToken(tx, id, { userId: account.id, purpose: 'email-verification' })
      return {
        subject: 'Confirm your email',
        body: [
          'Please confirm the email of your Torque Yard account.',
          { label: 'Confirm your email', url: `${origin}/verify-email#${token}` },
          'The link works once and expires in 24 hours. Log in to that account first.',
          "If you didn't create an account, ignore this email.",
        ],
      }
    },
    'password-changed': async () => ({
      subject: 'Your password was changed',
      body: [
        'The password of your Torque Yard account was changed. All devices were logged out.',
        "If this wasn't you, reset your password and check who can read your mailbox.",
        { label: 'Choose a new password', url: `${origin}/forgot-password` },
      ],
    }),
  }
}

/** Hash to store. The token has 256 unpredictable bits, so it needs no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
