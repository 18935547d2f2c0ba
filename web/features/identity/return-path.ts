import type { PageLocation } from '../../router/page.ts'

/** What a page leaves in the history when it sends someone to sign in. */
export interface SignInState {
  from: string
}

/** The state for a redirect to /login that leads back to this place. */
export const toReturnState = ({ pathname, search, hash }: PageLocation): SignInState => ({
  from: pathname + search + hash,
})

/** Pages that are only a step on the way in: no one returns to them. */
const signInPages = ['/login', '/signup', '/forgot-password', '/reset-password']

/** The state for a link to /login: leads back to the present page, or where the present page would lead. */
export const signInState = (location: PageLocation): unknown =>
  signInPages.includes(location.pathname) ? location.state : toReturnState(location)

/** Where to go after signing in: the place one came from, on this site only, else the home page. */
export function returnPath(state: unknown): string {
  const from = (state as Partial<SignInState> | null)?.from
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return '/'
  return from
}
