import { createSecretKey, type KeyObject } from 'node:crypto'
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { deriveKey } from '../../platform/secrets.ts'

/** Claims at issue time. Roles are not included; they are read on every request. */
export interface AccessTokenSubject {
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

/**
 * The shop's own short-lived tokens (RFC 9068), sent as `Authorization: Bearer`.
 *
 * @param options.previousSecrets former secrets, used only to verify tokens until these expire
 */
export function createAccessTokens(options: {
  secret: string
  previousSecrets?: readonly string[]
  ttlSeconds?: number
}) {
  const { secret, previousSecrets = [], ttlSeconds = 900 } = options
  const signing = toKey(secret)
  const ring = new Map([signing, ...previousSecrets.map(toKey)].map(({ id, key }) => [id, key]))

  const findKey = ({ kid }: JWTHeaderParameters): KeyObject => {
    const key = ring.get(kid ?? '')
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }

  return {
    sign: ({ customerId, email, tokenVersion }: AccessTokenSubject): Promise<string> =>
      new SignJWT({ email, ver: tokenVersion })
        .setProtectedHeader({ alg: algorithm, typ: type, kid: signing.id })
        .setSubject(customerId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${ttlSeconds} seconds`)
        .sign(signing.key),

    /** Returns null if the token is invalid or expired. The caller must compare `tokenVersion` itself. */
    async verify(token: string) {
      const claims = await jwtVerify(token, findKey, {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        requiredClaims: ['sub', 'iat', 'exp', 'ver'],
      }).catch(nullIfRefused)
      return claims && toSubject(claims.payload)
    },
  }
}

/** The key id is derived from the secret and does not reveal it. */
function toKey(secret: string): { id: string; key: KeyObject } {
  return {
    id: deriveKey(secret, 'access token key id').toString('hex', 0, 4),
    key: createSecretKey(deriveKey(secret, 'access token')),
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof errors.JOSEError) return null
  throw error
}

function toSubject({ sub, ver }: JWTPayload): { customerId: string; tokenVersion: number } | null {
  return sub && Number.isSafeInteger(ver) ? { customerId: sub, tokenVersion: Number(ver) } : null
}
