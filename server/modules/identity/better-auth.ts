import { betterAuth } from 'better-auth'
import { jwt } from 'better-auth/plugins'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import { passwordMinimum } from '../../../contract/customers.ts'
import { newId } from '../../platform/database.ts'
import { describeError, withoutSecrets } from '../../platform/log.ts'
import { deriveKey } from '../../platform/secrets.ts'
import type { IdentityProviderOptions } from './service.ts'

export const basePath = '/idp'
export const passwordMaximum = 128
/** Not the URL of the shop: issuer and subject identify an account, and must not change when the shop moves. */
export const idTokenIssuer = 'urn:torque-yard:identity-provider'
export const idTokenAudience = 'torque-yard'
export const idTokenSeconds = 300
/** Set by `callBetterAuth` from the connection. A client's own header of this name is not forwarded. */
const clientIpHeader = 'x-client-ip'
/** Last URL of the sign-in popup, after success and after failure. */
export const popupEnd = (origin: string): string => `${origin}${basePath}/popup/done`

const day = 24 * 60 * 60
const noTokens = { accessToken: null, refreshToken: null, idToken: null }

/** Creates better-auth with the shop's settings. Only our routes call it; other endpoints are unreachable. */
export function createBetterAuth(
  options: Pick<IdentityProviderOptions, 'pool' | 'origin' | 'secret' | 'google' | 'log'>,
) {
  const { pool, origin, secret, google, log } = options
  return betterAuth({
    baseURL: origin,
    basePath,
    // A list, because better-auth would also look for a single secret in the environment.
    secrets: [{ version: 1, value: deriveKey(secret, 'identity provider').toString('base64url') }],
    trustedOrigins: [origin],
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
      // Accounts are linked only if the email is verified on both sides. No provider is trusted beyond that.
      accountLinking: {
        requireLocalEmailVerified: true,
        // In the sandbox anyone can claim any email, so it must not open an account that it did not create.
        disableImplicitLinking: google?.isSandbox ?? false,
      },
      updateAccountOnSignIn: false,
    },
    databaseHooks: {
      account: { create: { before: async (account) => ({ data: { ...account, ...noTokens } }) } },
    },
    ...(google?.social && { socialProviders: { google: google.social } }),
    plugins: [
      jwt({
        // The browser requests a token when it needs one.
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
      // Explicit, because NODE_ENV=test would disable both checks.
      disableCSRFCheck: false,
      disableOriginCheck: false,
    },
    // Replaced by rate-limits.ts, whose limits all machines share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: logWithoutPeople(log) },
    // Throw, so that our error handler logs it. better-auth would print it to the console.
    onAPIError: { throw: true, errorURL: popupEnd(origin) },
  })
}

export type BetterAuth = ReturnType<typeof createBetterAuth>

/** Contains the port: browsers ignore it, so two shops on one host would overwrite each other's cookies. */
export function cookiePrefix(origin: string): string {
  const { port, protocol } = new URL(origin)
  return `torque-yard-${port || (protocol === 'https:' ? 443 : 80)}`
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
}

/**
 * Calls better-auth on behalf of a request. The path is that of the call, and only the headers below are forwarded.
 *
 * @param body already validated with the schema of the call
 */
export function callBetterAuth(
  auth: BetterAuth,
  origin: string,
  { method, path }: Call,
  request: FastifyRequest,
  body?: unknown,
): Promise<Response> {
  const url = new URL(`${origin}${basePath}${path}`)
  if (method === 'GET') url.search = new URL(request.url, origin).search
  return auth.handler(
    new Request(url, {
      method,
      headers: {
        cookie: request.headers.cookie ?? '',
        'user-agent': request.headers['user-agent'] ?? '',
        [clientIpHeader]: request.ip,
        ...(method === 'POST' && { origin, 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    }),
  )
}

/** Copies the cookies of a better-auth response, and nothing else. */
export function forwardCookies(response: { headers: Headers }, reply: FastifyReply): void {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
}

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

/**
 * Writes better-auth's messages to the shop's log, without emails and database rows. Its own errors are mostly
 * wrong passwords, so only other errors are logged as errors.
 */
export function logWithoutPeople(log: Log): (level: string, message: string, ...details: unknown[]) => void {
  return (_level, message, ...details) => {
    const text = `identity provider: ${withoutSecrets(message)}`
    const error = details.find((detail) => detail instanceof Error && detail.name !== 'BetterAuthError')
    if (error) log.error({ error: describeError(error) }, text)
    else log.info(text)
  }
}
