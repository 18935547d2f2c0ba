import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { imageUrl } from '../../../contract/fields.ts'
import { ShopError } from '../../platform/shop-error.ts'

/** An identity provider whose word the shop takes. Another one is another row in the table of issuers. */
export interface TrustedIssuer {
  /** As in the tokens' `iss`, to the letter. */
  issuer: string
  /** What the tokens' `aud` must name: this shop, as the provider knows it. */
  audience: string
  /** The provider's signature algorithms, such as `['RS256']`; never one with a shared secret. */
  algorithms: readonly string[]
  /** Its public keys: the address of a JWKS, or a function where the provider runs in this very process. */
  keys: string | (() => Promise<JSONWebKeySet>)
  /** Seconds for which a token is taken after its making, whatever it says itself. */
  maxAge: number
  /** Whether the session that a token names in `sid` still stands; left out where the provider cannot be asked. */
  hasSession?: (sid: string) => Promise<boolean>
}

/** What a provider vouches for. A person is known by issuer and subject; the email may change. */
export interface VerifiedIdentity {
  issuer: string
  subject: string
  /** Lower case. */
  email: string
  emailVerified: boolean
  name: string | null
  /** An http(s) address. */
  picture: string | null
}

export type VerifyIdToken = (token: string) => Promise<VerifiedIdentity>

/** Whether the sign-in that a verified token tells of was not ended since. */
export type SignInStands = (token: string) => Promise<boolean>

const clockSkewSeconds = 30
const maxTokenLength = 8192

/**
 * Checks ID tokens: issuer, signature, algorithm, audience, age and expiry (OpenID Connect Core 3.1.3.7).
 *
 * @returns a function that throws INVALID_ID_TOKEN, with the reason as its cause, or UNAVAILABLE where the
 * provider's keys cannot be had
 */
export function createIdTokenVerifier(trusted: readonly TrustedIssuer[]): VerifyIdToken {
  const issuers = new Map(trusted.map((row) => [row.issuer, { ...row, keySet: openKeySet(row.keys) }]))

  return async (token) => {
    try {
      const issuer = issuers.get(claimedIssuer(token))
      if (!issuer) throw new errors.JWTInvalid('the issuer is not trusted')
      const { payload } = await jwtVerify(token, issuer.keySet, {
        issuer: issuer.issuer,
        audience: issuer.audience,
        algorithms: [...issuer.algorithms],
        maxTokenAge: issuer.maxAge,
        clockTolerance: clockSkewSeconds,
        requiredClaims: ['sub', 'iat', 'exp', 'email'],
      })
      return toIdentity(issuer.issuer, payload)
    } catch (error) {
      throw new ShopError(isAuthError(error) ? 'INVALID_ID_TOKEN' : 'UNAVAILABLE', { cause: toReason(error) })
    }
  }
}

/** Asks the provider of a token that was verified, where it can be asked. */
export function createSignInCheck(trusted: readonly TrustedIssuer[]): SignInStands {
  return async (token) => {
    const { iss, sid } = decodeJwt(token)
    const issuer = trusted.find((row) => row.issuer === iss)
    return !issuer?.hasSession || (typeof sid === 'string' && issuer.hasSession(sid))
  }
}

function openKeySet(keys: TrustedIssuer['keys']): JWTVerifyGetKey {
  if (typeof keys === 'string') return createRemoteJWKSet(new URL(keys))
  // Asking ourselves costs no network: a key that is new a moment ago need not wait for a cool-down.
  return createRemoteJWKSet(new URL('https://this-process.invalid'), {
    cooldownDuration: 0,
    [customFetch]: async () => Response.json(await keys()),
  })
}

/** Only to find the row of the table; `jwtVerify` checks it against the signature. */
function claimedIssuer(token: string): string {
  if (token.length > maxTokenLength) throw new errors.JWTInvalid('the token is too long')
  return decodeJwt(token).iss ?? ''
}

function toIdentity(
  issuer: string,
  { sub, email, email_verified, name, picture }: JWTPayload,
): VerifiedIdentity {
  if (!sub || sub.length > 255) throw new errors.JWTInvalid('the subject is missing or too long')
  if (typeof email !== 'string' || email.length > 254 || !/^\S+@\S+$/.test(email)) {
    throw new errors.JWTInvalid('the e-mail is none')
  }
  return {
    issuer,
    subject: sub,
    email: email.toLowerCase(),
    emailVerified: email_verified === true,
    name: typeof name === 'string' ? asLine(name) : null,
    picture: typeof picture === 'string' && isPicture(picture) ? picture : null,
  }
}

/** A stranger's text as one of ours may be: what a person could not type here is left out. */
const asLine = (text: string): string =>
  text
    .slice(0, 120)
    .replaceAll(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, ' ')
    .trim()

const isPicture = (url: string): boolean => /^https?:/.test(url) && imageUrl.safeParse(url).success

/** Whether the token is to blame, and not that the provider's keys could not be read. */
function isAuthError(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    error.code !== errors.JOSEError.code &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
  )
}

/** jose's own errors carry the token's claims, and with them an email that must not reach the log. */
function toReason(error: unknown): unknown {
  return error instanceof errors.JOSEError ? new Error(`${error.code}: ${error.message}`) : error
}
