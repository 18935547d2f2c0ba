import type { BetterAuthPlugin } from 'better-auth'

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
}

/** Google itself. Its console must know the redirect address `<origin>/idp/callback/google`. */
export function realGoogle(keys: GoogleKeys): GoogleProvider {
  return {
    id: 'google',
    isSandbox: false,
    social: { ...keys, prompt: 'select_account', includeGrantedScopes: false },
  }
}
