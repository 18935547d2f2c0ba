import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Letter, Letters } from '../mail/service.ts'
import { drawToken, hashToken } from './email-token.ts'
import * as queries from './queries.ts'

const hour = 60 * 60

/**
 * The letters about an account. Nothing in them was typed by whoever asked for them, not even a name: else the shop
 * could be made to write to strangers. Links are built from the shop's own address, and carry their secret behind the
 * `#`, which reaches no log and no other site.
 */
export function createLetters({ db, origin }: { db: Kysely<Database>; origin: string }): Letters {
  async function newLink(userId: string, purpose: queries.TokenPurpose, path: string, seconds: number) {
    const token = drawToken()
    await queries.keepToken(db, { userId, purpose, hash: hashToken(token), seconds })
    return `${origin}${path}#${token}`
  }

  return {
    async 'password-reset'(email) {
      const account = await queries.findAccount(db, email)
      if (!account) return null
      // Whoever came through Google has proved the address there. One that nobody has proved gets the link: whoever
      // follows it proves it, and throws everybody else out.
      if (!account.hasPassword && account.emailVerified) return signInWithGoogle(origin)
      return resetPassword(await newLink(account.id, 'password-reset', '/reset-password', hour))
    },
    async 'email-verification'(email) {
      const account = await queries.findAccount(db, email)
      if (!account || account.emailVerified) return null
      return verifyEmail(await newLink(account.id, 'email-verification', '/verify-email', 24 * hour))
    },
    'password-changed': async () => passwordChanged(origin),
  }
}

const resetPassword = (url: string): Letter => ({
  subject: 'Choose a new password',
  body: [
    'Somebody, perhaps you, asked for a new password for your account at Torque Yard.',
    { label: 'Choose a new password', url },
    'The link works once, for one hour. A new password signs you out everywhere.',
    'If you did not ask for it, there is nothing to do: your password stays as it is.',
  ],
})

const signInWithGoogle = (origin: string): Letter => ({
  subject: 'Your account signs in using Google',
  body: [
    'Somebody, perhaps you, asked for a new password for your account at Torque Yard.',
    'Your account has no password: you sign in using Google.',
    { label: 'Sign in', url: `${origin}/login` },
    'If you did not ask for it, there is nothing to do.',
  ],
})

const verifyEmail = (url: string): Letter => ({
  subject: 'Confirm your e-mail',
  body: [
    'An account at Torque Yard was made with this e-mail. If it is yours, confirm it.',
    { label: 'Confirm your e-mail', url },
    'The link works once, for 24 hours, where you are signed in with that account.',
    'If you made no account, do not follow the link. Somebody may have mistyped an address.',
  ],
})

const passwordChanged = (origin: string): Letter => ({
  subject: 'Your password was changed',
  body: [
    'The password of your account at Torque Yard was changed, and everybody was signed out of it.',
    'If that was not you, choose a new one now, and see to it that nobody else reads your mail.',
    { label: 'Choose a new password', url: `${origin}/forgot-password` },
  ],
})
