/** Key of the shop's access token in localStorage, as in the specification. */
const tokenKey = 'accessToken'

const listeners = new Set<() => void>()

export const readAccessToken = (): string | null => localStorage.getItem(tokenKey)

export const storeAccessToken = (token: string): void => localStorage.setItem(tokenKey, token)

/** Removes the token without calling the listeners of this tab. */
export const forgetAccessToken = (): void => localStorage.removeItem(tokenKey)

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
