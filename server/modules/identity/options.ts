import type { BetterAuthPlugin } from 'better-auth'
import type { GoogleOptions } from 'better-auth/social-providers'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Kysely, PostgresPool } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Outbox } from '../mail/service.ts'

/** The provider behind the button `Sign in using Google`, as options of better-auth. */
export interface GoogleProvider {
  /** Its id in better-auth's tables and in the callback URL. */
  id: 'google' | 'google-sandbox'
  social?: GoogleOptions
  plugins?: BetterAuthPlugin[]
  /** Registers the pages of a sandbox. */
  routes?(app: FastifyInstance): void
}

export interface IdentityOptions {
  /** May be the shop's pool: all queries name the schema `identity`. */
  pool: PostgresPool
  /** Same database, for transactions together with the shop's tables. */
  db: Kysely<Database>
  /** Public origin of the shop, such as `http://localhost:3000`. */
  origin: string
  secrets: Secrets
  google: GoogleProvider | null
  /** Whether 'No account with this email' and 'Wrong Password' both become 'Login failed'. */
  mergeSignInMessages: boolean
  limits?: Partial<Limits>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids the account's access tokens, in the transaction that sets a new password or ends all sessions. */
  voidAccessTokens: (tx: Kysely<Database>, identity: { issuer: string; subject: string }) => Promise<void>
  /**
   * Deletes what the account's customer has saved, in the transaction that sets a new password for an unverified email:
   * another person may have saved it.
   */
  clearCustomer: (tx: Kysely<Database>, identity: { issuer: string; subject: string }) => Promise<void>
  /**
   * Changes the email of the account's customer and voids the access tokens, in the transaction that changes the account.
   *
   * @throws EMAIL_TAKEN
   */
  changeCustomerEmail: (
    tx: Kysely<Database>,
    identity: { issuer: string; subject: string },
    email: string,
  ) => Promise<void>
  log: Log
}

/**
 * High enough for an office behind one IP, too low to guess passwords. Every attempt counts, except that a success
 * clears the counts of failures.
 */
export const identityLimits = {
  /** Every call below /idp. */
  callsPerIp: { max: 600, seconds: 60 },
  signInsPerIp: { max: 60, seconds: 300 },
  signUpsPerIp: { max: 30, seconds: 3600 },
  /** Wrong passwords per email from one network. Each known browser has a separate count. */
  failuresPerNetwork: { max: 10, seconds: 900 },
  /** Wrong passwords per email from all unknown browsers: much higher, because it locks the owner out of a new browser. */
  failuresPerEmail: { max: 100, seconds: 900 },
  signUpsPerEmail: { max: 10, seconds: 900 },
  /** Password reset requests, whether or not the account exists. */
  resetRequestsPerIp: { max: 20, seconds: 3600 },
  /** Requests per email from unknown browsers. Each known browser has a separate count. */
  resetRequestsPerEmail: { max: 5, seconds: 3600 },
  /** Uses of email links, including invalid ones. */
  linksPerIp: { max: 30, seconds: 3600 },
  /** Requests of all accounts to change to any email. */
  emailChangesPerIp: { max: 20, seconds: 3600 },
  /** Requests of all accounts to change to one email. Password resets do not share it: anyone can name a stranger's email. */
  emailChangesPerEmail: { max: 5, seconds: 3600 },
  /** Requests for another verification email after the first. */
  verificationsPerEmail: { max: 5, seconds: 3600 },
}

export type Limits = typeof identityLimits

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
