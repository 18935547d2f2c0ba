import type { PageLocation } from '../../router/page.ts'

/** What a page leaves in the history when it sends somebody to sign in. */
export interface SignInState {
  from: string
}

/** The state for a redirect to /login that leads back to this place. */
export const rememberPlace = ({ pathname, search, hash }: PageLocation): SignInState => ({
  from: pathname + search + hash,
})

/** Where to go after signing in: the place one came from, on this site only, else the home page. */
export function returnPath(state: unknown): string {
  const from = (state as Partial<SignInState> | null)?.from
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return '/'
  return from
}
