import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/ids.ts'
import { createLimiter } from '../../platform/limiter.ts'
import type { EmailRenderers, Outbox } from '../mail/service.ts'
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
} from './better-auth.ts'
import { createEmails } from './emails.ts'
import type { GoogleProvider } from './google.ts'
import type { TrustedIssuer } from './id-token.ts'
import { createKnownDevices } from './known-device.ts'
import type { Log } from './log.ts'
import * as queries from './queries.ts'
import { defaultLimits, type Limits, openRateLimiter } from './rate-limits.ts'
import * as repository from './repository.ts'

export interface IdentityProviderOptions {
  /** The shop's pool will do. The tables are in the schema `identity`, and named so. */
  pool: Pool
  /** The same, for what the shop takes part in. */
  db: Kysely<Database>
  /** The shop's public address, such as `http://localhost:3000`. */
  origin: string
  /** Other addresses whose pages may sign people in. */
  trustedOrigins?: readonly string[]
  secret: string
  google: GoogleProvider | null
  /** Whether 'No account with this email' and 'Wrong Password' both become 'Login failed'. */
  mergeSignInMessages: boolean
  limits?: Partial<Limits>
  /** Null if the shop sends no mail. */
  outbox: Outbox | null
  /** Voids what the shop gave to an account, within the transaction that gives it another password. */
  onPasswordReset: (tx: Kysely<Database>, identity: { issuer: string; subject: string }) => Promise<void>
  log: Log
}

export interface IdentityProvider {
  /** Registers everything below /idp, and the sandbox's pages where it is used. */
  routes(app: FastifyInstance): void
  /** For the table of trusted issuers: the shop checks this one's tokens as it checks any other's. */
  issuer: TrustedIssuer
  /** What this provider has to say by mail. */
  emails: Omit<EmailRenderers, 'order-expired'>
  /** Deletes expired sessions, unfinished sign-ins, email tokens and rate limits. */
  deleteExpired(): Promise<void>
  /** Makes an account with a password, as for the demo shop. Where the email has an account, that one stays as it is. */
  createAccount(account: NewAccount): Promise<{ subject: string }>
  /** Gives an account of the demo shop another password, as its settings ask. */
  setPassword(email: string, password: string): Promise<void>
}

export interface NewAccount {
  email: string
  password: string
  name: string
  emailVerified: boolean
}

/**
 * Opens the identity provider that the shop brings along. The rest of the shop treats it as a stranger's: it reaches it
 * over HTTP, and takes nothing but its signed ID tokens.
 *
 * The database must be migrated.
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

/** The signing keys are locked with the secret. After a change of secret nothing opens them: they make room. */
async function requireSigningKey(auth: BetterAuth, pool: Pool, log: Log): Promise<void> {
  const sign = () => auth.api.signJWT({ body: { payload: {} } })
  try {
    await sign()
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('Failed to decrypt private key'))) throw error
    log.warn('identity provider: the secret is another one than before; everybody has to sign in again')
    await repository.deleteSigningKeys(pool)
    await sign()
  }
}
