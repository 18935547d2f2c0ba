import { type AccessTokens, createAccessTokens } from './access-token.ts'
import {
  createIdTokenVerifier,
  createSessionCheck,
  type IsSessionActive,
  type TrustedIssuer,
  type VerifyIdToken,
} from './id-token.ts'
import { type IdentityProvider, type IdentityProviderOptions, openIdentityProvider } from './provider.ts'

export type { AccessTokenSubject, AccessTokens } from './access-token.ts'
export { type GoogleProvider, realGoogle } from './google.ts'
export type { IsSessionActive, TrustedIssuer, VerifiedIdentity, VerifyIdToken } from './id-token.ts'
export type { IdentityProvider } from './provider.ts'
export type { Limits } from './rate-limits.ts'

export interface IdentityOptions extends IdentityProviderOptions {
  /** Former values of `secret`. Their access tokens are accepted until they expire. */
  previousSecrets?: readonly string[]
  /** Identity providers in addition to the embedded one. */
  moreIssuers?: readonly TrustedIssuer[]
}

/** The embedded provider, the checks of ID tokens, and the shop's own access tokens. */
export interface Identity {
  provider: IdentityProvider
  verifyIdToken: VerifyIdToken
  isSessionActive: IsSessionActive
  accessTokens: AccessTokens
}

/** The database must be migrated. */
export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const { secret, previousSecrets = [], moreIssuers = [] } = options
  const provider = await openIdentityProvider(options)
  const issuers = [provider.issuer, ...moreIssuers]
  return {
    provider,
    verifyIdToken: createIdTokenVerifier(issuers),
    isSessionActive: createSessionCheck(issuers),
    accessTokens: createAccessTokens({ secret, previousSecrets }),
  }
}
