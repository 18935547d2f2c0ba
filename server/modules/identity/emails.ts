import type { EmailContent, EmailRenderers } from '../mail/service.ts'
import { deriveKey } from './derived-key.ts'
import { hashToken, readToken } from './email-token.ts'
import * as queries from './queries.ts'

const hour = 60 * 60

/**
 * Creates the emails about an account. They contain no user input, so the shop cannot be abused to write to third
 * parties. Link tokens follow the `#`, so they appear in no log and no Referer header.
 */
export function createEmails({
  origin,
  secret,
}: {
  origin: string
  secret: string
}): Omit<EmailRenderers, 'order-expired'> {
  const key = deriveKey(secret, 'email links')

  return {
    async 'password-reset'(tx, { id, email }) {
      const account = await queries.findAccount(tx, email)
      if (!account) return null
      // Google has verified this email, so its account gets no link. If the email is unverified, using the link
      // proves ownership and signs everyone else out.
      if (!account.hasPassword && account.emailVerified) return signInWithGoogle(origin)
      const token = readToken(key, id)
      const link = { userId: account.id, purpose: 'password-reset', hash: hashToken(token) } as const
      await queries.saveToken(tx, { ...link, seconds: hour })
      return resetPassword(`${origin}/reset-password#${token}`)
    },
    async 'email-verification'(tx, { id, email }) {
      const account = await queries.findAccount(tx, email)
      if (!account || account.emailVerified) return null
      const token = readToken(key, id)
      const link = { userId: account.id, purpose: 'email-verification', hash: hashToken(token) } as const
      await queries.saveToken(tx, { ...link, seconds: 24 * hour })
      return verifyEmail(`${origin}/verify-email#${token}`)
    },
    'password-changed': async () => passwordChanged(origin),
  }
}

const resetPassword = (url: string): EmailContent => ({
  subject: 'Choose a new password',
  body: [
    'Somebody, perhaps you, asked for a new password for your account at Torque Yard.',
    { label: 'Choose a new password', url },
    'The link works once, for one hour. A new password signs you out everywhere.',
    'If you did not ask for it, there is nothing to do: your password stays as it is.',
  ],
})

const signInWithGoogle = (origin: string): EmailContent => ({
  subject: 'Your account signs in using Google',
  body: [
    'Somebody, perhaps you, asked for a new password for your account at Torque Yard.',
    'Your account has no password: you sign in using Google.',
    { label: 'Sign in', url: `${origin}/login` },
    'If you did not ask for it, there is nothing to do.',
  ],
})

const verifyEmail = (url: string): EmailContent => ({
  subject: 'Confirm your e-mail',
  body: [
    'An account at Torque Yard was made with this e-mail. If it is yours, confirm it.',
    { label: 'Confirm your e-mail', url },
    'The link works once, for 24 hours, where you are signed in with that account.',
    'If you made no account, do not follow the link. Somebody may have mistyped an address.',
  ],
})

const passwordChanged = (origin: string): EmailContent => ({
  subject: 'Your password was changed',
  body: [
    'The password of your account at Torque Yard was changed, and everybody was signed out of it.',
    'If that was not you, choose a new one now, and see to it that nobody else reads your mail.',
    { label: 'Choose a new password', url: `${origin}/forgot-password` },
  ],
})
