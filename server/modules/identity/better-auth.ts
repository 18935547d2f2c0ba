import { betterAuth } from 'better-auth'
import { jwt } from 'better-auth/plugins'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { passwordMinimum } from '../../../contract/customers.ts'
import { newId } from '../../platform/ids.ts'
import { deriveKey } from './derived-key.ts'
import type { GoogleProvider } from './google.ts'
import { type Log, logWithoutPeople } from './log.ts'

export interface BetterAuthSettings {
  pool: Pool
  /** The shop's public address. */
  origin: string
  trustedOrigins: readonly string[]
  secret: string
  google: GoogleProvider | null
  log: Log
}

export const basePath = '/idp'
export const passwordMaximum = 128
/** Not the shop's address: people are known by issuer and subject, and stay themselves when the shop moves. */
export const idTokenIssuer = 'urn:torque-yard:identity-provider'
export const idTokenAudience = 'torque-yard'
export const idTokenSeconds = 300
/** Set by our front door alone, from the connection; what a client sends under this name is dropped. */
export const clientIpHeader = 'x-client-ip'
/** Where the popup ends, whatever the outcome. */
export const popupEnd = (origin: string): string => `${origin}${basePath}/popup/done`

const day = 24 * 60 * 60

/** better-auth as the shop runs it. Only the front door calls it: what that does not list cannot be reached. */
export function createBetterAuth({ pool, origin, trustedOrigins, secret, google, log }: BetterAuthSettings) {
  return betterAuth({
    baseURL: origin,
    basePath,
    // As a list: a single secret would be looked for in the environment too.
    secrets: [{ version: 1, value: deriveKey(secret, 'identity provider').toString('base64url') }],
    trustedOrigins: [origin, ...trustedOrigins],
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
      type: 'postgres',
      schemaName: 'identity',
      transaction: true,
    },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: passwordMinimum,
      maxPasswordLength: passwordMaximum,
    },
    session: { expiresIn: 7 * day, updateAge: day },
    account: {
      // An account is joined to another only where both have verified the email: no provider is trusted beyond that.
      accountLinking: {
        requireLocalEmailVerified: true,
        // Anyone may call himself anything in the sandbox: it never opens an account that it did not make.
        disableImplicitLinking: google?.isSandbox ?? false,
      },
      updateAccountOnSignIn: false,
    },
    databaseHooks: { account: { create: { before: async (account) => ({ data: withoutTokens(account) }) } } },
    ...(google?.social && { socialProviders: { google: google.social } }),
    plugins: [
      jwt({
        // Not on every answer: the browser asks for a token when it needs one.
        disableSettingJwtHeader: true,
        jwks: { keyPairConfig: { alg: 'EdDSA' }, rotationInterval: 90 * day, gracePeriod: day },
        jwt: {
          issuer: idTokenIssuer,
          audience: idTokenAudience,
          expirationTime: `${idTokenSeconds}s`,
          definePayload: ({ user, session }) => ({
            sid: session.id,
            email: user.email,
            email_verified: user.emailVerified,
            name: user.name,
            picture: user.image ?? undefined,
          }),
        },
      }),
      ...(google?.plugins ?? []),
    ],
    advanced: {
      cookiePrefix: cookiePrefix(origin),
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: basePath },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientIpHeader] },
      // Said aloud because NODE_ENV=test would turn both checks off.
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    // Ours stands before it, shared by all machines: limits.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: logWithoutPeople(log) },
    // Thrown to the front door, which logs it: better-auth itself would print it to the console.
    onAPIError: { throw: true, errorURL: popupEnd(origin) },
  })
}

export type BetterAuth = ReturnType<typeof createBetterAuth>

/** Cookies know no port: without it, two shops on one host would sign one another out. */
export function cookiePrefix(origin: string): string {
  const { port, protocol } = new URL(origin)
  return `torque-yard-${port || (protocol === 'https:' ? 443 : 80)}`
}

function withoutTokens<Account extends object>(account: Account) {
  return { ...account, accessToken: null, refreshToken: null, idToken: null }
}
