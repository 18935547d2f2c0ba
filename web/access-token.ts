/** The shop's access token, kept where the specification says: `accessToken` in the browser's storage. */
const tokenKey = 'accessToken'
/** Whom the token stands for: the token itself is the server's and not ours to read. */
const emailKey = 'accessTokenEmail'

export interface AccessToken {
  token: string
  /** Empty if only the token is known. */
  email: string
}

const listeners = new Set<() => void>()

export function readAccessToken(): AccessToken | null {
  const token = localStorage.getItem(tokenKey)
  return token ? { token, email: localStorage.getItem(emailKey) ?? '' } : null
}

export function storeAccessToken({ token, email }: AccessToken): void {
  localStorage.setItem(emailKey, email)
  localStorage.setItem(tokenKey, token)
}

/** Takes the token out of the browser; this tab is not called back, because it knows what it does. */
export function forgetAccessToken(): void {
  localStorage.removeItem(tokenKey)
  localStorage.removeItem(emailKey)
}

export function clearAccessToken(): void {
  forgetAccessToken()
  for (const listener of listeners) listener()
}

/** Calls back when the token is cleared here, or changes in any way in another tab. */
export function onAccessTokenChange(listener: () => void): void {
  listeners.add(listener)
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) listener()
  })
}
