import { useSyncExternalStore } from 'react'
import type { User } from '../../../contract/customers.ts'
import type { OpenStep } from '../../../contract/two-step.ts'
import { onAccessTokenChange, onExpiredAccessToken, readAccessToken } from '../../access-token.ts'
import type { PageLocation } from '../../router/page.ts'
import type * as SessionActions from './session-actions.ts'

export type Session =
  | { status: 'loading' }
  /** `openStep`: the step that the sign-in of staff still needs. Only known directly after it. */
  | { status: 'signed-in'; user: User; openStep?: OpenStep | undefined }
  /** `signedOutByUser`: the next user is not returned to the page where this one signed out. */
  | { status: 'signed-out'; signedOutByUser: boolean }
  | { status: 'failed'; error: unknown }

const loading: Session = { status: 'loading' }
let actions: typeof SessionActions | undefined
let session: Session = loading
let started = false
const listeners = new Set<() => void>()

// Here, because a call can be made before the session code is loaded.
onExpiredAccessToken(async () => (await loadActions()).renewSession())

/** Loads the session code only when it is needed, because most visitors are not signed in. */
const loadActions = async () => (actions ??= await import('./session-actions.ts'))

export const readSession = (): Session => session

export function writeSession(next: Session): void {
  // `signOut` needs it at once.
  if (next.status === 'signed-in') void loadActions()
  session = next
  for (const listener of listeners) listener()
}

/** Starts to load the session, before the page is hydrated. */
export function startSession(): void {
  if (started) return
  started = true
  onAccessTokenChange(() => void followToken())
  // In the back/forward cache a page misses changes. Without a key, the event means all of localStorage.
  addEventListener('pageshow', ({ persisted }) => persisted && dispatchEvent(new StorageEvent('storage')))
  void followToken()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  startSession()
  return () => listeners.delete(listener)
}

async function followToken(): Promise<void> {
  if (!readAccessToken()) {
    if (session.status !== 'signed-out') writeSession({ status: 'signed-out', signedOutByUser: false })
    return
  }
  try {
    await (await loadActions()).loadSession()
  } catch (error) {
    writeSession({ status: 'failed', error })
  }
}

/**
 * Ends the session. Sends the calls before it returns: even the import of loaded code takes a task of the browser, and
 * the user may leave the page first.
 */
export async function signOut(): Promise<void> {
  await (actions ?? (await loadActions())).closeSession()
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

/** The same if the session has ended on a page. The login page says so. */
export const endedState = (location: PageLocation) => ({ ...toReturnState(location), hasEnded: true })

export const hasEnded = (state: unknown): boolean =>
  (state as { hasEnded?: unknown } | null)?.hasEnded === true

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
