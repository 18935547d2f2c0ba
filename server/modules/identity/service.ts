import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/database.ts'
import { createLimiter } from '../../platform/limiter.ts'
import type { EmailRenderers, Outbox } from '../mail/service.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { AuthError } from './auth-errors.ts'
import { registerAuthRoutes } from './auth-routes.ts'
import {
  type BetterAuth,
  basePath,
  cookiePrefix,
  createBetterAuth,
  idTokenAudience,
  idTokenIssuer,
  idTokenSeconds,
  type Log,
} from './better-auth.ts'
import { createEmails } from './emails.ts'
import type { GoogleProvider } from './google.ts'
import {
  createIdTokenVerifier,
  createSessionCheck,
  type IsSessionActive,
  type TrustedIssuer,
  type VerifyIdToken,
} from './id-token.ts'
import * as queries from './queries.ts'
import { createKnownDevices, defaultLimits, type Limits, openRateLimiter } from './rate-limits.ts'
import * as repository from './repository.ts'

export type { AccessTokenSubject, AccessTokens } from './access-token.ts'
export { type GoogleProvider, realGoogle } from './google.ts'
export type { IsSessionActive, TrustedIssuer, VerifiedIdentity, VerifyIdToken } from './id-token.ts'
export type { Limits } from './rate-limits.ts'

interface IdentityOptions extends IdentityProviderOptions {
  /** Former values of `secret`. Their access tokens are accepted until they expire. */
  previousSecrets?: readonly string[]
  /** Identity providers in addition to the embedded one. */
  moreIssuers?: readonly TrustedIssuer[]
}

/** The embedded provider, the checks of ID tokens, and the shop's own access tokens. */
export interface Identity {
  provider: IdentityProvider
  verifyIdToken: VerifyIdToken
  isSessionActive: IsSessionActive
  accessTokens: AccessTokens
}

/** The database must be migrated. */
export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const { secret, previousSecrets = [], moreIssuers = [] } = options
  const provider = await openIdentityProvider(options)
  const issuers = [provider.issuer, ...moreIssuers]
  return {
    provider,
    verifyIdToken: createIdTokenVerifier(issuers),
    isSessionActive: createSessionCheck(issuers),
    accessTokens: createAccessTokens({ secret, previousSecrets }),
  }
}

export interface IdentityProviderOptions {
  /** May be the shop's pool: all queries name the schema `identity`. */
  pool: Pool
  /** Same database, for transactions together with the shop's tables. */
  db: Kysely<Database>
  /** Public origin of the shop, such as `http://localhost:3000`. */
  origin: string
  /** Other origins whose pages may sign users in. */
  trustedOrigins?: readonly string[]
  secret: string
  google: GoogleProvider | null
  /** Whether 'No account with this email' and 'Wrong Password' both become 'Login failed'. */
  mergeSignInMessages: boolean
  limits?: Partial<Limits>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids the account's access tokens, in the transaction that sets a new password. */
  onPasswordReset: (tx: Kysely<Database>, identity: { issuer: string; subject: string }) => Promise<void>
  log: Log
}

export interface IdentityProvider {
  /** Registers all routes below /idp, and the pages of the Google sandbox if it is used. */
  routes(app: FastifyInstance): void
  /** This provider as a trusted issuer. The shop verifies its tokens like those of any other. */
  issuer: TrustedIssuer
  /** Renders the emails of this provider. */
  emails: Omit<EmailRenderers, 'order-expired'>
  /** Deletes expired sessions, unfinished sign-ins, email tokens and rate limits. */
  deleteExpired(): Promise<void>
  /** Creates an account with a password, unless the email has one. Returns its subject in both cases. */
  createAccount(account: NewAccount): Promise<{ subject: string }>
  /** Replaces the password of a demo account, as configured. */
  setPassword(email: string, password: string): Promise<void>
}

export interface NewAccount {
  email: string
  password: string
  name: string
  emailVerified: boolean
}

/**
 * Opens the embedded identity provider. The shop uses it like an external one: over HTTP, with signed ID tokens
 * only. The database must be migrated.
 */
export async function openIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { pool, db, origin, trustedOrigins = [], secret, google, mergeSignInMessages, outbox, log } = options
  const auth = createBetterAuth({ pool, origin, trustedOrigins, secret, google, log })

  await requireSigningKey(auth, pool, log)

  const deps = {
    auth,
    pool,
    db,
    outbox,
    onPasswordReset: (tx: Kysely<Database>, subject: string) =>
      options.onPasswordReset(tx, { issuer: idTokenIssuer, subject }),
    origin,
    trustedOrigins,
    google,
    mergeSignInMessages,
    log,
    hashLimiter: createLimiter({
      concurrency: Math.max(2, availableParallelism()),
      maxQueued: 200,
      onOverflow: () => new AuthError('TOO_MANY_REQUESTS', { retryAfter: 5 }),
    }),
    rateLimiter: openRateLimiter(pool, secret, { ...defaultLimits, ...options.limits }),
    devices: createKnownDevices({
      secret,
      cookiePrefix: cookiePrefix(origin),
      path: basePath,
      secure: origin.startsWith('https:'),
    }),
  }
  const hash = async (password: string) => (await auth.$context).password.hash(password)
  return {
    routes(app) {
      app.register(async (scope) => registerAuthRoutes(scope, deps), { prefix: basePath })
      google?.routes?.(app)
    },
    issuer: {
      issuer: idTokenIssuer,
      audience: idTokenAudience,
      algorithms: ['EdDSA'],
      keys: async () => auth.api.getJwks(),
      maxAge: idTokenSeconds,
      hasSession: (id) => queries.hasSession(db, id),
    },
    emails: createEmails({ origin, secret }),
    deleteExpired: () => repository.deleteExpired(pool),
    async createAccount({ email, password, name, emailVerified }) {
      const passwordHash = await hash(password)
      const account = { id: newId(), email: email.toLowerCase(), passwordHash, name, emailVerified }
      return { subject: await repository.insertAccount(pool, account) }
    },
    async setPassword(email, password) {
      await repository.setPassword(pool, email.toLowerCase(), await hash(password))
    },
  }
}

/** Signing keys are encrypted with the secret. After a change of the secret they are useless and are replaced. */
async function requireSigningKey(auth: BetterAuth, pool: Pool, log: Log): Promise<void> {
  const sign = () => auth.api.signJWT({ body: { payload: {} } })
  try {
    await sign()
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('Failed to decrypt private key'))) throw error
    log.warn('identity provider: SHOP_SECRET has changed, all users must log in again')
    await repository.deleteSigningKeys(pool)
    await sign()
  }
}
