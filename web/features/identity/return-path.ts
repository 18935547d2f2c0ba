import type { PageLocation } from '../../router/page.ts'

/** History state of a redirect or link to the login page. */
export interface SignInState {
  from: string
}

/** Returns the state for a redirect to /login, with the location to return to. */
export const toReturnState = ({ pathname, search, hash }: PageLocation): SignInState => ({
  from: pathname + search + hash,
})

/** Pages of the sign-in flow. Links from them to /login pass on the return path that they received. */
const signInPages = ['/login', '/signup', '/forgot-password', '/reset-password']

/** Returns the state for a link to /login, with the current page or its own return path. */
export const signInState = (location: PageLocation): unknown =>
  signInPages.includes(location.pathname) ? location.state : toReturnState(location)

/** Returns the path to open after signing in. Falls back to `/` if `from` is missing or on another site. */
export function returnPath(state: unknown): string {
  const from = (state as Partial<SignInState> | null)?.from
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return '/'
  return from
}
