import { createHash } from 'node:crypto'
import {
  EncryptJWT,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTPayload,
  jwtDecrypt,
  jwtVerify,
  SignJWT,
} from 'jose'
import { deriveKeys, type Secrets } from '../../server/platform/secrets/secrets.ts'

export interface SandboxPerson {
  email: string
  name: string
}

/** Binds a code to its sign-in: only the client that started it can redeem the code. */
interface CodeBinding {
  clientId: string
  redirectUri: string
  /** PKCE, method S256. */
  challenge: string
}

interface SandboxClaims {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

interface TokenResponse {
  id_token: string
  access_token: string
  token_type: 'Bearer'
  expires_in: number
}

const codeSeconds = 60
const tokenSeconds = 3600

/**
 * Creates the sandbox's codes and tokens. Nothing is stored: codes and access tokens are encrypted JWTs, which any
 * process of the shop can read.
 */
export function createSandboxTokens({
  issuer,
  secrets,
  verifiesEmails,
}: {
  issuer: string
  secrets: Secrets
  verifiesEmails: boolean
}) {
  /** Returns the claims with the names that Google gives them. */
  function toClaims({ email, name }: SandboxPerson): SandboxClaims {
    const sub = `sandbox-${createHash('sha256').update(email).digest('hex').slice(0, 20)}`
    return { sub, email, email_verified: verifiesEmails, name }
  }

  const sealingKeys = deriveKeys(secrets, 'google sandbox')
  const seal = (purpose: string, content: JWTPayload, seconds: number) =>
    new EncryptJWT(content)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: purpose })
      .setIssuer(issuer)
      .setExpirationTime(`${seconds} seconds`)
      .encrypt(sealingKeys[0])
  /** A code may come from a process with another current secret. */
  const unseal = (purpose: string, token: string) =>
    Promise.any(
      sealingKeys.map(async (key) => {
        const { payload } = await jwtDecrypt(token, key, { issuer, typ: purpose, requiredClaims: ['exp'] })
        return payload
      }),
    )

  // Generated at the first sign-in. Each process has its own key pair and verifies only its own ID tokens.
  let pair: Promise<GenerateKeyPairResult> | undefined
  const keyPair = () => (pair ??= generateKeyPair('RS256'))

  async function signIdToken(person: SandboxPerson, audience: string): Promise<string> {
    const { privateKey } = await keyPair()
    return new SignJWT({ ...toClaims(person) })
      .setProtectedHeader({ alg: 'RS256', kid: 'sandbox' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds} seconds`)
      .sign(privateKey)
  }

  return {
    issueCode: ({ email, name }: SandboxPerson, binding: CodeBinding): Promise<string> =>
      seal('code', { email, name, ...binding }, codeSeconds),

    /** @throws if the code is expired, not ours, or bound to another client, redirect URI or verifier */
    async redeem(
      code: string,
      { clientId, redirectUri, verifier }: { clientId: string; redirectUri: string; verifier: string },
    ): Promise<TokenResponse> {
      const content = await unseal('code', code)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const matches =
        content.clientId === clientId &&
        content.redirectUri === redirectUri &&
        content.challenge === challenge
      if (!matches) throw new Error('the code belongs to another sign-in')
      const person = personIn(content)
      return {
        id_token: await signIdToken(person, clientId),
        access_token: await seal('access', { ...person }, tokenSeconds),
        token_type: 'Bearer',
        expires_in: tokenSeconds,
      }
    },

    /** Verifies signature, issuer, audience and expiry. Returns the claims. */
    async verifyIdToken(idToken: string, audience: string): Promise<SandboxClaims> {
      const { publicKey } = await keyPair()
      const { payload } = await jwtVerify(idToken, publicKey, { issuer, audience, algorithms: ['RS256'] })
      return toClaims(personIn(payload))
    },

    userInfo: async (accessToken: string): Promise<SandboxClaims> =>
      toClaims(personIn(await unseal('access', accessToken))),

    async publicKeys(): Promise<JSONWebKeySet> {
      const key = await exportJWK((await keyPair()).publicKey)
      return { keys: [{ ...key, kid: 'sandbox', alg: 'RS256', use: 'sig' }] }
    },
  }
}

export type SandboxTokens = ReturnType<typeof createSandboxTokens>

function personIn({ email, name }: JWTPayload): SandboxPerson {
  if (typeof email !== 'string' || typeof name !== 'string') throw new Error('the token has no account')
  return { email, name }
}
