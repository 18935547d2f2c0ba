import { readText } from './local-storage.ts'

/** Key of the shop's access token in localStorage, as in the specification. */
const tokenKey = 'accessToken'

const listeners = new Set<() => void>()

export const readAccessToken = (): string | null => readText(tokenKey)

/** Returns the claims in a token as bytes, one character for each. Throws if they are unreadable. */
export const decodeClaims = (token: string): string =>
  atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))

/** Returns the user id in a token without verifying the token, or undefined if it is unreadable. */
export function readOwner(token: string): string | undefined {
  try {
    return JSON.parse(decodeClaims(token)).sub
  } catch {
    return undefined
  }
}

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
  addEventListener('storage', ({ key }) => {
    if (key === null || key === tokenKey) listener()
  })
}

type Renewal = () => Promise<string | null>
let renewal: Renewal = async () => null

/** Sets the function that requests a new access token. It returns null if the user has to log in again. */
export function onExpiredAccessToken(renew: Renewal): void {
  renewal = renew
}

export const renewAccessToken: Renewal = () => renewal()
