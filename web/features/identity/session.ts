import { useSyncExternalStore } from 'react'
import type { User } from '../../../contract/customers.ts'
import { onAccessTokenChange, readAccessToken } from '../../access-token.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  /** `left`: someone signed out on purpose, so that the next one is not sent to where this one was. */
  | { status: 'signed-out'; signedOutByUser: boolean }
  | { status: 'failed'; error: unknown }

const loading: Session = { status: 'loading' }
let session: Session = loading
let started = false
const listeners = new Set<() => void>()

export const readSession = (): Session => session

export function writeSession(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!started) start()
  return () => listeners.delete(listener)
}

function start(): void {
  started = true
  onAccessTokenChange(() => void followToken())
  void followToken()
}

/** Most visitors hold no token: what it takes to ask whose one is, is loaded only for those who do. */
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

type Close = () => Promise<void>
let close: Close | undefined

/** Says how a session is closed; whoever has one has loaded what says it. */
export function registerSignOut(closing: Close): void {
  close = closing
}

/** Closes the session. Waits for nothing before: whoever leaves the page at once is signed out all the same. */
export const signOut = (): Promise<void> => close?.() ?? Promise.resolve()

/** Who is signed in, in step with every other tab; `loading` on the server and until the first answer. */
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
  if (session.status !== 'signed-in') throw new Error('This page stands behind the signed-in guard.')
  return session.user
}

/** Whether it is certain that an admin is signed in. */
export const isAdmin = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role === 'admin'

/** Whether it is certain that a customer without a role is signed in. */
export const isCustomer = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role !== 'admin'
