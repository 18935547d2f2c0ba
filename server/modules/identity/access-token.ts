import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SignIn } from '../../platform/actor.ts'
import { deriveKeys, type Secrets } from '../../platform/secrets/secrets.ts'

/** Claims at issue time. Roles are not included; they are read on every request. */
interface AccessTokenSubject {
  customerId: string
  email: string
  /** The customer's `token_version`. Incrementing it in the database voids the token. */
  tokenVersion: number
  /** The sign-in whose ID token was exchanged for the token; by default unknown. */
  signIn?: SignIn | null
}

/** The claims of a valid token. `signIn` is null if an earlier version of the shop has signed it. */
interface VerifiedToken {
  customerId: string
  tokenVersion: number
  signIn: SignIn | null
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

const algorithm = 'HS256'
const type = 'at+jwt'
const issuer = 'torque-yard'
const audience = 'torque-yard-api'

/** Verifying takes more time than the rest of a short request. */
const maxVerified = 5_000

/** The shop's own short-lived tokens (RFC 9068), sent as `Authorization: Bearer`. */
export function createAccessTokens({ secrets, ttlSeconds = 900 }: { secrets: Secrets; ttlSeconds?: number }) {
  const keys = deriveKeys(secrets, 'access token')
  const signingKey = createSecretKey(keys[0])
  const verifyingKeys = keys.map((key) => createSecretKey(key))
  /** Valid tokens. `exp`: in seconds since 1970. */
  const verified = new LRUCache<string, { claims: VerifiedToken; exp: number }>({ max: maxVerified })
  return {
    sign: ({ customerId, email, tokenVersion, signIn }: AccessTokenSubject): Promise<string> =>
      new SignJWT({ email, ver: tokenVersion, ...(signIn && { idp: signIn.issuer, sid: signIn.sid }) })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(customerId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${ttlSeconds} seconds`)
        .sign(signingKey),

    /** Returns null if the token is invalid or expired. The caller must compare `tokenVersion` itself. */
    async verify(token: string): Promise<VerifiedToken | null> {
      const known = verified.get(token)
      if (known && known.exp > Date.now() / 1_000) return known.claims
      for (const key of verifyingKeys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: [algorithm],
            typ: type,
            issuer,
            audience,
            requiredClaims: ['sub', 'iat', 'exp', 'ver'],
          })
          const { sub, ver, idp, sid, exp = 0 } = payload
          if (!sub || !Number.isSafeInteger(ver)) return null
          const signIn = typeof idp === 'string' && typeof sid === 'string' ? { issuer: idp, sid } : null
          const claims = { customerId: sub, tokenVersion: Number(ver), signIn }
          verified.set(token, { claims, exp })
          return claims
        } catch (error) {
          if (error instanceof errors.JWSSignatureVerificationFailed) continue // made with another secret
          if (error instanceof errors.JOSEError) return null
          throw error
        }
      }
      return null
    },
  }
}
