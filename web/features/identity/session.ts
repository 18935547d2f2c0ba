import { useSyncExternalStore } from 'react'
import type { User } from '../../../contract/customers.ts'
import { onAccessTokenChange, onExpiredAccessToken, readAccessToken } from '../../access-token.ts'
import type { PageLocation } from '../../router/page.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  /** `signedOutByUser`: the next user is not returned to the page where this one signed out. */
  | { status: 'signed-out'; signedOutByUser: boolean }
  | { status: 'failed'; error: unknown }

const loading: Session = { status: 'loading' }
let session: Session = loading
let started = false
const listeners = new Set<() => void>()

// Here, because a call can be made before the session code is loaded.
onExpiredAccessToken(async () => (await import('./session-actions.ts')).renewSession())

export const readSession = (): Session => session

export function writeSession(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!started) {
    started = true
    onAccessTokenChange(() => void followToken())
    void followToken()
  }
  return () => listeners.delete(listener)
}

/** Loads the session code only if there is a token, because most visitors have none. */
async function followToken(): Promise<void> {
  if (!readAccessToken()) {
    writeSession({
      status: 'signed-out',
      signedOutByUser: session.status === 'signed-out' && session.signedOutByUser,
    })
    return
  }
  try {
    const { loadSession } = await import('./session-actions.ts')
    await loadSession()
  } catch (error) {
    writeSession({ status: 'failed', error })
  }
}

/** Ends the session. The code is loaded already if a user is signed in, so it works if they leave immediately. */
export async function signOut(): Promise<void> {
  const { closeSession } = await import('./session-actions.ts')
  await closeSession()
}

/** The session, synchronized across tabs. It is `loading` on the server and until the first response. */
export function useSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => loading,
  )
}

/** The signed-in user; for pages behind the signed-in guard. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signed-in') throw new Error('useUser needs the signed-in guard.')
  return session.user
}

/** False while the session is loading. */
export const isAdmin = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role === 'admin'

/** True for a user who is not an admin; false while the session is loading. */
export const isCustomer = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role !== 'admin'

/** Returns the history state for a redirect to /login, with the location to return to. */
export const toReturnState = ({ pathname, search, hash }: PageLocation) => ({
  from: pathname + search + hash,
})

/** Pages of the sign-in flow. Links from them to /login pass on the return path that they received. */
const signInPages = ['/login', '/signup', '/forgot-password', '/reset-password']

/** Returns the state for a link to /login, with the current page or its own return path. */
export const signInState = (location: PageLocation): unknown =>
  signInPages.includes(location.pathname) ? location.state : toReturnState(location)

/** Returns the path to open after signing in. Falls back to `/` if `from` is missing or on another site. */
export function returnPath(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return '/'
  return from
}
