import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet } from 'jose'
import type { Kysely, PostgresPool } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/database/database.ts'
import { createLimiter } from '../../platform/limiter.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { countRefused } from '../../platform/telemetry/metrics.ts'
import type { Outbox } from '../mail/service.ts'
import { createAccessTokens } from './access-token.ts'
import { type AuthDeps, registerAuthRoutes } from './auth-routes.ts'
import {
  type AuthSecrets,
  type BetterAuth,
  basePath,
  createBetterAuth,
  deriveAuthSecrets,
  encryptAgain,
  idTokenAudience,
  idTokenIssuer,
  idTokenSeconds,
  type Log,
} from './better-auth.ts'
import { createEmails } from './emails.ts'
import { type GoogleProvider, registerPopupEnd } from './google.ts'
import { createIdTokenVerifier, createSessionCheck, type TrustedIssuer } from './id-token.ts'
import {
  createKnownDevices,
  defaultLimits,
  type Limits,
  openRateLimiter,
  tooManyRequests,
} from './rate-limits.ts'
import * as repository from './repository.ts'

export type { AccessTokens } from './access-token.ts'
export { type GoogleProvider, realGoogle } from './google.ts'
export type { VerifiedIdentity } from './id-token.ts'
export type { RateLimiter } from './rate-limits.ts'
export { deleteSigningKeys } from './repository.ts'

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
  /** Voids the account's access tokens, in the transaction that sets a new password. */
  onPasswordReset: (tx: Kysely<Database>, identity: { issuer: string; subject: string }) => Promise<void>
  log: Log
}

export type Identity = Awaited<ReturnType<typeof openIdentity>>

/**
 * Opens the embedded identity provider, the checks of ID tokens, and the shop's own access tokens. The shop uses the
 * provider like an external one: over HTTP, with signed ID tokens only. The database must be migrated.
 */
export async function openIdentity(options: IdentityOptions) {
  const { db, origin, secrets, google } = options
  const authSecrets = deriveAuthSecrets(secrets)
  const auth = createBetterAuth(options, authSecrets)
  await requireSigningKeys(auth, db, authSecrets)
  const rateLimiter = openRateLimiter(db, secrets[0], { ...defaultLimits, ...options.limits })
  const deps: AuthDeps = {
    ...options,
    auth,
    authSecrets,
    hashLimiter: createLimiter({
      concurrency: Math.max(2, availableParallelism()),
      maxQueued: 200,
      onOverflow() {
        countRefused('hashing')
        return tooManyRequests(5)
      },
    }),
    rateLimiter,
    devices: createKnownDevices(secrets, origin),
  }
  /** This provider as a trusted issuer. The shop verifies its tokens like those of any other. */
  const issuer: TrustedIssuer = {
    issuer: idTokenIssuer,
    audience: idTokenAudience,
    algorithms: ['EdDSA'],
    // Read each time, so that a new key is valid immediately.
    keys: async (header, token) => createLocalJWKSet(await auth.api.getJwks())(header, token),
    maxAge: idTokenSeconds,
    hasSession: (id) => repository.hasSession(db, id),
  }
  const hash = async (password: string) => (await auth.$context).password.hash(password)
  return {
    /** Registers all routes below /idp, and the pages of the Google sandbox if it is used. */
    routes(app: FastifyInstance): void {
      app.register(async (scope) => registerAuthRoutes(scope, deps), { prefix: basePath })
      registerPopupEnd(app, origin)
      google?.routes?.(app)
    },
    issuer,
    verifyIdToken: createIdTokenVerifier([issuer]),
    isSessionActive: createSessionCheck([issuer]),
    accessTokens: createAccessTokens({ secrets }),
    emails: createEmails(origin, secrets),
    rateLimiter,
    /** Deletes expired sessions, unfinished sign-ins, email tokens and rate limits. */
    deleteExpired: repository.deleteExpired,
    /** Creates a verified account with a password, unless the email has one. Returns its subject in both cases. */
    async createAccount({ email, password, name }: { email: string; password: string; name: string }) {
      const passwordHash = await hash(password)
      const added = { id: newId(), email: email.toLowerCase(), passwordHash, name }
      return { subject: await repository.insertAccount(db, added) }
    },
    /** Replaces the password of a demo account, as configured. */
    async setPassword(email: string, password: string): Promise<void> {
      const account = await repository.findAccount(db, email.toLowerCase())
      if (!account?.passwordHash) return
      await repository.putPassword(db, {
        userId: account.id,
        newId: newId(),
        passwordHash: await hash(password),
      })
    },
  }
}

/**
 * Checks the secrets against the signing keys, also in a database that is not migrated. Changes nothing.
 *
 * @throws StartupError if no secret decrypts a key
 */
export async function requireSigningSecret(db: Kysely<Database>, secrets: Secrets): Promise<void> {
  if (!(await repository.hasSigningKeyTable(db))) return
  const authSecrets = deriveAuthSecrets(secrets)
  for (const { privateKey } of await repository.listSigningKeys(db))
    await encryptAgain(privateKey, authSecrets)
}

/**
 * Creates a signing key if there is none, and encrypts those of a previous secret with the current one, so that the
 * previous one can be removed from the settings.
 *
 * @throws StartupError if no secret decrypts a key
 */
async function requireSigningKeys(
  auth: BetterAuth,
  db: Kysely<Database>,
  authSecrets: AuthSecrets,
): Promise<void> {
  for (const { id, privateKey } of await repository.listSigningKeys(db)) {
    const encrypted = await encryptAgain(privateKey, authSecrets)
    if (encrypted !== privateKey) await repository.replaceSigningKey(db, { id, privateKey, encrypted })
  }
  await auth.api.signJWT({ body: { payload: {} } })
}
