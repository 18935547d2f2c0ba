import { createHmac } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { jwt } from 'better-auth/plugins/jwt'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import type * as z from 'zod/mini'
import { passwordMinimum } from '../../../contract/customers.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { newId } from '../../platform/database/database.ts'
import { isDatabaseUnavailable, ShopError, StartupError } from '../../platform/errors.ts'
import { deriveKey, isSameSignature, type Secrets } from '../../platform/secrets/secrets.ts'
import { recordFailures, throwFailures } from './database-failures.ts'
import type { IdentityOptions, Log } from './options.ts'

export const basePath = '/idp'
export const passwordMaximum = 128
/** Not the URL of the shop: issuer and subject identify an account, and must not change when the shop moves. */
export const idTokenIssuer = 'urn:torque-yard:identity-provider'
export const idTokenAudience = 'torque-yard'
export const idTokenSeconds = 300
/** Set by `toAuthHeaders` from the connection. A client's own header of this name is not forwarded. */
const clientIpHeader = 'x-client-ip'
/** Last URL of the sign-in popup, after success and after failure. */
export const popupEnd = (origin: string): string => `${origin}${basePath}/popup/done`

const day = 24 * 60 * 60
const noTokens = { accessToken: null, refreshToken: null, idToken: null }

/**
 * Creates better-auth with the shop's settings. Only our routes call its functions; its HTTP handler, with its own
 * checks of the origin and of rates, is not used.
 */
export function createBetterAuth(
  options: Pick<IdentityOptions, 'pool' | 'origin' | 'google' | 'log'>,
  authSecrets: AuthSecrets,
) {
  const { pool, origin, google, log } = options
  const auth = betterAuth({
    baseURL: origin,
    basePath,
    secrets: [...authSecrets],
    trustedOrigins: [origin],
    database: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: recordFailures(pool) }) }),
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
        disableImplicitLinking: google?.id === 'google-sandbox',
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
      database: {
        generateId: () => newId(),
        // Without joins, better-auth prints failures of their second query to the console.
        joins: true,
        // A test compares the migrations with its schema. At each start this would read the whole catalog.
        validateSchema: false,
      },
      ipAddress: { ipAddressHeaders: [clientIpHeader] },
    },
    telemetry: { enabled: false },
    // Its spans would contain the messages of errors, which may name emails.
    experimental: { instrumentation: { enabled: false } },
    logger: { level: 'warn', log: toBetterAuthLog(log) },
    onAPIError: { errorURL: popupEnd(origin) },
  })
  return { ...auth, api: throwFailures(auth.api) }
}

export type BetterAuth = ReturnType<typeof createBetterAuth>

/** Contains the port: browsers ignore it, so two shops on one host would overwrite each other's cookies. */
export function cookiePrefix(origin: string): string {
  const { port, protocol } = new URL(origin)
  return `torque-yard-${port || (protocol === 'https:' ? 443 : 80)}`
}

/**
 * A secret of better-auth. The version marks data that the secret has encrypted, so it depends only on the secret:
 * during a rotation, processes have the secrets in different orders.
 */
interface AuthSecret {
  version: number
  value: string
}

/** The current secret first, like `Secrets`. */
export type AuthSecrets = readonly [current: AuthSecret, ...previous: AuthSecret[]]

/** Derives the secrets of better-auth. Call it at startup, not for every request. */
export function deriveAuthSecrets([current, ...previous]: Secrets): AuthSecrets {
  return [deriveAuthSecret(current), ...previous.map(deriveAuthSecret)]
}

const deriveAuthSecret = (secret: string): AuthSecret => ({
  version: deriveKey(secret, 'version of the identity provider').readUInt32BE(),
  value: deriveKey(secret, 'identity provider').toString('base64url'),
})

/**
 * Returns a stored private key as it is if the current secret has encrypted it, else encrypted with the current one.
 *
 * @throws StartupError if no secret decrypts it
 */
export async function encryptAgain(stored: string, secrets: AuthSecrets): Promise<string> {
  const [current] = secrets
  const data: string = JSON.parse(stored)
  if (data.startsWith(`$ba$${current.version}$`)) return stored
  const attempts = secrets.map(({ version, value }) => {
    const key = { keys: new Map([[version, value]]), currentVersion: version }
    return symmetricDecrypt({ key, data })
  })
  const decrypted = await Promise.any(attempts).catch((cause: unknown) => {
    throw new StartupError(
      'The signing keys were encrypted with another secret. Add it to SHOP_PREVIOUS_SECRETS, or run npm run reset-secret, which signs all users out.',
      { cause },
    )
  })
  const key = { keys: new Map([[current.version, current.value]]), currentVersion: current.version }
  return JSON.stringify(await symmetricEncrypt({ key, data: decrypted }))
}

/**
 * Headers for a call of better-auth on behalf of a request. All others are dropped. better-auth verifies cookies only
 * with its current secret, so cookies that a previous secret has signed are signed again.
 */
export function toAuthHeaders({ headers, ip }: FastifyRequest, secrets: AuthSecrets): Headers {
  return new Headers({
    cookie: listCookies(headers.cookie, secrets)
      .map(({ cookie }) => cookie)
      .join('; '),
    'user-agent': headers['user-agent'] ?? '',
    [clientIpHeader]: ip,
  })
}

/** Returns the session of a request with its user. @throws SESSION_OVER */
export async function requireSession(
  { auth, authSecrets }: { auth: BetterAuth; authSecrets: AuthSecrets },
  request: FastifyRequest,
) {
  const found = await auth.api.getSession({
    headers: toAuthHeaders(request, authSecrets),
    // A refreshed session would need its new cookie forwarded.
    query: { disableRefresh: true },
  })
  if (!found) throw new ShopError('SESSION_OVER')
  return found
}

/**
 * Returns the session cookie for the browser if a previous secret has signed it, with the signature of the current one.
 * Otherwise the user would be signed out when the previous secret is removed.
 */
export async function renewSessionCookie(
  auth: BetterAuth,
  { headers }: FastifyRequest,
  secrets: AuthSecrets,
): Promise<string | null> {
  const { name, attributes } = (await auth.$context).authCookies.sessionToken
  const renewed = listCookies(headers.cookie, secrets).find(
    ({ cookie, isPrevious }) => isPrevious && cookie.startsWith(`${name}=`),
  )
  if (!renewed) return null
  const secure = attributes.secure ? '; Secure' : ''
  return `${renewed.cookie}; Max-Age=${attributes.maxAge}; Path=${attributes.path}; HttpOnly${secure}; SameSite=Lax`
}

/**
 * Returns the cookies of a request. Signs cookies again with the current secret if a previous one has signed them.
 */
function listCookies(header: string | undefined, [current, ...previous]: AuthSecrets) {
  return (header?.split(/;\s*/) ?? []).map((cookie) => {
    const [, name, value = '', signature = ''] = /^([^=]+)=(\w+)\.([^.]+)$/.exec(cookie) ?? []
    const isPrevious = previous.some((secret) => isSameSignature(signature, signCookie(value, secret)))
    return { cookie: isPrevious ? `${name}=${value}.${signCookie(value, current)}` : cookie, isPrevious }
  })
}

/** Returns the signature that better-auth appends to the value of a cookie. */
const signCookie = (value: string, secret: AuthSecret): string =>
  encodeURIComponent(createHmac('sha256', secret.value).update(value).digest('base64'))

/** Copies the cookies of a better-auth response, and nothing else. */
export function forwardCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** Errors of better-auth that a client can cause. */
const clientErrors: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'SIGN_IN_FAILED',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'EMAIL_TAKEN',
  INVALID_EMAIL: 'INVALID_EMAIL',
  PASSWORD_TOO_SHORT: 'PASSWORD_TOO_SHORT',
  PASSWORD_TOO_LONG: 'PASSWORD_TOO_LONG',
}

/** Returns whether the database has rejected a new user. The log has the reason, which better-auth does not pass on. */
export const isUserCreationFailure = (error: unknown): boolean =>
  error instanceof APIError && error.body?.code === 'FAILED_TO_CREATE_USER'

/** Converts better-auth's errors about the request. Returns all others unchanged. */
export function toShopError(error: unknown): unknown {
  if (!(error instanceof APIError)) return error
  const code = clientErrors[error.body?.code ?? ''] ?? (error.statusCode === 401 ? 'NOT_SIGNED_IN' : null)
  return code ? new ShopError(code) : new Error('better-auth failed', { cause: error })
}

/** @throws INVALID_EMAIL if the email is invalid, otherwise INVALID_REQUEST */
export function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const isEmail = result.error.issues.some(({ path }) => path[0] === 'email')
  throw new ShopError(isEmail ? 'INVALID_EMAIL' : 'INVALID_REQUEST')
}

/**
 * Writes better-auth's messages to the shop's log, without their details, which contain emails and database rows. Its
 * own errors are mostly wrong passwords, so only other errors are logged as errors.
 */
export function toBetterAuthLog(log: Log): (level: string, message: string, ...details: unknown[]) => void {
  return (_level, message, ...details) => {
    const text = `identity provider: ${message}`
    const err = details.find((detail) => detail instanceof Error && detail.name !== 'BetterAuthError')
    // Each request that fails for it logs it once.
    if (isDatabaseUnavailable(err)) return
    if (err) log.error({ err }, text)
    else log.info(text)
  }
}
