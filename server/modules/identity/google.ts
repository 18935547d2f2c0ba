import type { BetterAuthPlugin } from 'better-auth'
import type { FastifyInstance } from 'fastify'

export interface GoogleKeys {
  clientId: string
  clientSecret: string
}

/** The provider behind the button `Sign in using Google`, as options of better-auth. */
export interface GoogleProvider {
  /** Its id in better-auth's tables and in the callback URL. */
  id: 'google' | 'google-sandbox'
  isSandbox: boolean
  social?: GoogleKeys & { prompt: 'select_account'; includeGrantedScopes: false }
  plugins?: BetterAuthPlugin[]
  /** Registers the pages of a sandbox. */
  routes?(app: FastifyInstance): void
}

/** The real Google. `<origin>/idp/callback/google` must be registered in its console as a redirect URI. */
export function realGoogle(keys: GoogleKeys): GoogleProvider {
  return {
    id: 'google',
    isSandbox: false,
    social: { ...keys, prompt: 'select_account', includeGrantedScopes: false },
  }
}
