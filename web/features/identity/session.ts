import { useSyncExternalStore } from 'react'
import type { User } from '../../../contract/customers.ts'
import {
  clearAccessToken,
  onAccessTokenChange,
  readAccessToken,
  storeAccessToken,
} from '../../access-token.ts'
import { call, onExpiredAccessToken, type Reply } from '../../api.ts'
import { withRetry } from '../../retry.ts'
import { readIdToken } from './id-token.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-in'; user: User }
  /** `left`: somebody signed out on purpose, so that the next one is not sent to where this one was. */
  | { status: 'signed-out'; left: boolean }
  | { status: 'failed'; error: unknown }

const loading: Session = { status: 'loading' }
let session: Session = loading
let started = false
let latestLoad = 0
const listeners = new Set<() => void>()

function set(next: Session): void {
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
  onExpiredAccessToken(renewAccessToken)
  onAccessTokenChange(() => void loadSession())
  void loadSession()
}

/** Who is signed in, in step with every other tab; `loading` on the server and until the first answer. */
export function useSession(): Session {
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => loading,
  )
}

/** Reads the signed-in user again. While that is under way a user who is known already stays. */
export async function loadSession(): Promise<void> {
  const load = ++latestLoad
  const held = readAccessToken()
  if (!held) return set({ status: 'signed-out', left: session.status === 'signed-out' && session.left })
  if (session.status !== 'signed-in' || session.user.email !== held.email) set(loading)
  const next = await findSession(held.email)
  if (load === latestLoad) set(next)
}

async function findSession(email: string): Promise<Session> {
  try {
    const known = email || (await renewAndRead())
    const user = await withRetry(() => call('getUser', { query: { email: known } }))
    return { status: 'signed-in', user }
  } catch (error) {
    // A refused token was cleared on the way; every other failure says nothing about who one is.
    return readAccessToken() ? { status: 'failed', error } : { status: 'signed-out', left: false }
  }
}

/** For a token whose owner was not kept with it: asks the identity provider who is signed in. */
async function renewAndRead(): Promise<string> {
  if (!(await renewAccessToken())) clearAccessToken()
  return readAccessToken()?.email ?? ''
}

async function renewAccessToken(): Promise<string | null> {
  return (await exchangeIdToken())?.token ?? null
}

/** Exchanges the identity provider's ID token for the shop's access token. Answers null where it has none. */
async function exchangeIdToken(): Promise<Reply<'exchangeIdToken'> | null> {
  const { fetchIdToken } = await import('./provider.ts')
  const idToken = await fetchIdToken()
  if (!idToken) return null
  const { email, name } = readIdToken(idToken)
  const opened = await call('exchangeIdToken', { params: { email }, body: { email, name, idToken } })
  storeAccessToken({ token: opened.token, email: opened.user.email })
  return opened
}

/** Opens the session of whoever has just signed in with the identity provider. Throws what stands in the way. */
export async function openSession(): Promise<void> {
  const opened = await exchangeIdToken()
  if (!opened) throw new Error('The identity provider gave no ID token.')
  latestLoad++
  set({ status: 'signed-in', user: opened.user })
}

/**
 * Ends the session at the shop, at the identity provider and in this browser. The last happens whatever becomes
 * of the others; throws when one of them could not be told.
 */
export async function closeSession(): Promise<void> {
  const { signOut } = await import('./provider.ts')
  const told = await Promise.allSettled([call('signOut', {}), signOut()])
  latestLoad++
  session = { status: 'signed-out', left: true }
  clearAccessToken()
  const failed = told.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Whether it is certain that an admin is signed in. */
export const isAdmin = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role === 'admin'

/** Whether it is certain that a customer without a role is signed in. */
export const isCustomer = (session: Session): boolean =>
  session.status === 'signed-in' && session.user.role !== 'admin'

/** The signed-in user; for pages behind the signed-in guard. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signed-in') throw new Error('This page stands behind the signed-in guard.')
  return session.user
}
