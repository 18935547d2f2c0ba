import { availableParallelism } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet } from 'jose'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { newId } from '../../platform/database/database.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { openRateLimiter, tooManyRequests } from '../../platform/rate-limiter.ts'
import { countRefused } from '../../platform/telemetry/metrics.ts'
import { createAccessTokens } from './access-token.ts'
import type { AuthDeps } from './auth-deps.ts'
import { registerAuthRoutes } from './auth-routes.ts'
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
} from './better-auth.ts'
import { createEmails } from './emails.ts'
import { registerPopupEnd } from './google.ts'
import {
  createIdTokenVerifier,
  createSessionCheck,
  type TrustedIssuer,
  type VerifiedIdentity,
} from './id-token.ts'
import { createKnownDevices } from './known-devices.ts'
import { type IdentityOptions, identityLimits } from './options.ts'
import * as repository from './repository.ts'

export type { AccessTokens } from './access-token.ts'
export { realGoogle } from './google.ts'
export type { VerifiedIdentity } from './id-token.ts'
export type { IdentityOptions } from './options.ts'
export { deleteSigningKeys } from './repository.ts'

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
    rateLimiter: openRateLimiter(db, secrets[0], { ...identityLimits, ...options.limits }),
    devices: createKnownDevices(secrets, origin),
  }
  /** This provider as a trusted issuer. The shop verifies its tokens like any other issuer's. */
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
    /** Deletes expired sessions, unfinished sign-ins and email tokens. */
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
 * Returns whether an ID token of this provider still has the email and the verification of its account. They cannot change
 * until the transaction ends. Locks the account, as a change of the email does, before its customer. Other providers cannot
 * be asked: true.
 */
export async function isIdentityCurrent(
  tx: Kysely<Database>,
  { issuer, subject: id, email, emailVerified }: VerifiedIdentity,
): Promise<boolean> {
  return issuer !== idTokenIssuer || repository.lockUnchanged(tx, { id, email, emailVerified })
}

/**
 * Creates a signing key if there is none. Encrypts the keys of a previous secret with the current secret, so that the
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
