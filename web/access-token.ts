/** Key of the shop's access token in localStorage, as in the specification. */
const tokenKey = 'accessToken'
/** Email of the token's owner. It is stored separately, because the client does not parse the token. */
const emailKey = 'accessTokenEmail'

interface AccessToken {
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

/** Removes the token without calling the listeners of this tab. */
export function forgetAccessToken(): void {
  localStorage.removeItem(tokenKey)
  localStorage.removeItem(emailKey)
}

/** Removes the token and calls the listeners of this tab. */
export function clearAccessToken(): void {
  forgetAccessToken()
  for (const listener of listeners) listener()
}

/** Calls `listener` when `clearAccessToken` removes the token, or when it changes in another tab. */
export function onAccessTokenChange(listener: () => void): void {
  listeners.add(listener)
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) listener()
  })
}
