import { createSecretKey } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { deriveKeys, type Secrets } from '../../platform/secrets/secrets.ts'

/** Claims at issue time. Roles are not included; they are read on every request. */
interface AccessTokenSubject {
  customerId: string
  email: string
  /** The customer's `token_version`. Incrementing it in the database voids the token. */
  tokenVersion: number
}

export type AccessTokens = ReturnType<typeof createAccessTokens>

const algorithm = 'HS256'
const type = 'at+jwt'
const issuer = 'torque-yard'
const audience = 'torque-yard-api'

/** The shop's own short-lived tokens (RFC 9068), sent as `Authorization: Bearer`. */
export function createAccessTokens({ secrets, ttlSeconds = 900 }: { secrets: Secrets; ttlSeconds?: number }) {
  const keys = deriveKeys(secrets, 'access token')
  const signingKey = createSecretKey(keys[0])
  const verifyingKeys = keys.map((key) => createSecretKey(key))
  return {
    sign: ({ customerId, email, tokenVersion }: AccessTokenSubject): Promise<string> =>
      new SignJWT({ email, ver: tokenVersion })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(customerId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${ttlSeconds} seconds`)
        .sign(signingKey),

    /** Returns null if the token is invalid or expired. The caller must compare `tokenVersion` itself. */
    async verify(token: string): Promise<{ customerId: string; tokenVersion: number } | null> {
      for (const key of verifyingKeys) {
        try {
          const { payload } = await jwtVerify(token, key, {
            algorithms: [algorithm],
            typ: type,
            issuer,
            audience,
            requiredClaims: ['sub', 'iat', 'exp', 'ver'],
          })
          const { sub, ver } = payload
          return sub && Number.isSafeInteger(ver) ? { customerId: sub, tokenVersion: Number(ver) } : null
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
