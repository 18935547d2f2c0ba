import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { imageUrl } from '../../../contract/fields.ts'
import { ShopError } from '../../platform/errors.ts'

/** An identity provider whose ID tokens the shop accepts. */
export interface TrustedIssuer {
  /** Must equal the tokens' `iss` exactly. */
  issuer: string
  /** Required `aud` of the tokens: the shop's client id at the provider. */
  audience: string
  /** Signature algorithms of the provider, such as `['RS256']`. Symmetric ones are not allowed. */
  algorithms: readonly string[]
  /** Public keys: `createRemoteJWKSet` of jose, or a function if the provider runs in this process. */
  keys: JWTVerifyGetKey
  /** Seconds after `iat` for which a token is accepted, even if its `exp` is later. */
  maxAge: number
  /** Returns whether the session in `sid` is still active. Omitted if the provider cannot be asked. */
  hasSession?: (sid: string) => Promise<boolean>
}

/** Verified claims. Issuer and subject identify the person; the email may change. */
export interface VerifiedIdentity {
  issuer: string
  subject: string
  /** Lower case. */
  email: string
  emailVerified: boolean
  name: string | null
  /** An http(s) URL. */
  picture: string | null
  /** The session of this sign-in at the provider, if the token names it. */
  sid?: string
}

export type VerifyIdToken = (token: string) => Promise<VerifiedIdentity>

const clockSkewSeconds = 30

/**
 * Checks ID tokens: issuer, signature, algorithm, audience, age and expiry (OpenID Connect Core 3.1.3.7).
 *
 * @returns a function that throws INVALID_ID_TOKEN, with the reason as its cause, or UNAVAILABLE if the provider's
 * keys cannot be read
 */
export function createIdTokenVerifier(trusted: readonly TrustedIssuer[]): VerifyIdToken {
  return async (token) => {
    try {
      // The unverified `iss` selects the issuer. `jwtVerify` verifies it afterwards.
      const { iss } = decodeJwt(token)
      const issuer = trusted.find((row) => row.issuer === iss)
      if (!issuer) throw new errors.JWTInvalid('the issuer is not trusted')
      const { payload } = await jwtVerify(token, issuer.keys, {
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

/** Returns whether the session of a verified token is still active; true if its provider cannot be asked. */
export function createSessionCheck(trusted: readonly TrustedIssuer[]) {
  return async (token: string): Promise<boolean> => {
    const { iss, sid } = decodeJwt(token)
    const issuer = trusted.find((row) => row.issuer === iss)
    return !issuer?.hasSession || (typeof sid === 'string' && issuer.hasSession(sid))
  }
}

function toIdentity(
  issuer: string,
  { sub, email, email_verified, name, picture, sid }: JWTPayload,
): VerifiedIdentity {
  if (!sub || sub.length > 255) throw new errors.JWTInvalid('the subject is missing or too long')
  if (typeof email !== 'string' || email.length > 254 || !/^\S+@\S+$/.test(email)) {
    throw new errors.JWTInvalid('the email is not valid')
  }
  return {
    issuer,
    subject: sub,
    email: email.toLowerCase(),
    emailVerified: email_verified === true,
    name: typeof name === 'string' ? asLine(name) : null,
    picture: typeof picture === 'string' && isPicture(picture) ? picture : null,
    ...(typeof sid === 'string' && { sid }),
  }
}

/** Cuts a provider's text to 120 characters and replaces control and text-direction characters with spaces. */
const asLine = (text: string): string =>
  text
    .slice(0, 120)
    .replaceAll(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu, ' ')
    .trim()

const isPicture = (url: string): boolean => /^https?:/.test(url) && imageUrl.safeParse(url).success

/** Returns true if the token is invalid, and false if the keys could not be read. */
function isAuthError(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    error.code !== errors.JOSEError.code &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
  )
}

/** Copies only code and message: jose's errors contain the email, which must not be logged. */
function toReason(error: unknown): unknown {
  return error instanceof errors.JOSEError ? new Error(`${error.code}: ${error.message}`) : error
}
