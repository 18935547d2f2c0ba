import type { BetterAuthPlugin } from 'better-auth'
import type { FastifyInstance } from 'fastify'

export interface GoogleKeys {
  clientId: string
  clientSecret: string
}

/** Who stands behind the button `Sign in using Google`, as better-auth is told. */
export interface GoogleProvider {
  /** Its name in better-auth's tables and in the callback's address. */
  id: 'google' | 'google-sandbox'
  isSandbox: boolean
  social?: GoogleKeys & { prompt: 'select_account'; includeGrantedScopes: false }
  plugins?: BetterAuthPlugin[]
  /** Registers the pages of a sandbox. */
  routes?(app: FastifyInstance): void
}

/** Google itself. Its console must know the redirect address `<origin>/idp/callback/google`. */
export function realGoogle(keys: GoogleKeys): GoogleProvider {
  return {
    id: 'google',
    isSandbox: false,
    social: { ...keys, prompt: 'select_account', includeGrantedScopes: false },
  }
}
