import type { User } from '../../../contract/customers.ts'
import {
  clearAccessToken,
  decodeClaims,
  forgetAccessToken,
  readAccessToken,
  readOwner,
  storeAccessToken,
} from '../../access-token.ts'
import { ApiError, call, type Reply } from '../../api.ts'
import { isTemporary, withRetry } from '../../retry.ts'
import { fetchIdToken, signOut } from './provider.ts'
import { readSession, type Session, writeSession } from './session.ts'

let latestLoad = 0

/**
 * Loads the session again. If the user is unchanged, the old session stays while it loads, and if the shop cannot be
 * reached: what is typed on the page is not lost with it.
 */
export async function loadSession(): Promise<void> {
  const load = ++latestLoad
  const known = readSession()
  const isKnown = known.status === 'signed-in' && known.user._id === readOwner(readAccessToken() ?? '')
  if (!isKnown) writeSession({ status: 'loading' })
  const next = await findSession(readEmail())
  if (load !== latestLoad || (isKnown && next.status === 'failed' && isTemporary(next.error))) return
  writeSession(next)
}

async function findSession(email: string): Promise<Session> {
  try {
    const find = () => call('getUser', { query: { email } })
    // An unreadable token is replaced.
    const user = email ? await withRetry(find) : (await storeNewToken())?.user
    if (user) return { status: 'signed-in', user }
    clearAccessToken()
  } catch (error) {
    const present = readEmail()
    // The token was renewed after the email was changed on another device.
    if (present && present !== email) return findSession(present)
    // The call clears a rejected token. After any other failure the user is unknown.
    if (readAccessToken()) return { status: 'failed', error }
  }
  return { status: 'signed-out', signedOutByUser: false }
}

/** Returns the email of the access token, or an empty text if the token is unreadable. */
function readEmail(): string {
  try {
    return readClaims(readAccessToken() ?? '').email
  } catch {
    return ''
  }
}

/** Requests a new access token. Returns null if the user has to log in again. */
export async function renewSession(): Promise<string | null> {
  const opened = await exchangeIdToken()
  if (!opened) return null
  const { token, user } = opened
  const known = readSession()
  // Calls name the user by the email, and pages and menus depend on the role. Both may have been changed elsewhere.
  if (known.status === 'signed-in' && known.user._id === user._id && isChanged(known.user, user))
    writeSession({ ...known, user })
  return token
}

const isChanged = (known: User, user: User): boolean =>
  known.email !== user.email || known.role !== user.role || known.staffRole !== user.staffRole

/** Exchanges the ID token for an access token and stores it. Returns null without an ID token. */
async function storeNewToken(): Promise<Reply<'exchangeIdToken'> | null> {
  const opened = await exchangeIdToken()
  if (opened) storeAccessToken(opened.token)
  return opened
}

/** Exchanges the ID token for an access token. Returns null without an ID token. */
async function exchangeIdToken(): Promise<Reply<'exchangeIdToken'> | null> {
  try {
    return await exchangeNewIdToken()
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'INVALID_ID_TOKEN')) throw error
    // The email was changed or verified since the token was issued.
    return exchangeNewIdToken()
  }
}

async function exchangeNewIdToken(): Promise<Reply<'exchangeIdToken'> | null> {
  const idToken = await fetchIdToken()
  if (!idToken) return null
  const { email, name } = readClaims(idToken)
  return call('exchangeIdToken', { params: { email }, body: { email, name, idToken } })
}

/** Opens the session after a sign-in at the identity provider. Throws if the token exchange fails. */
export async function openSession(): Promise<void> {
  const opened = await storeNewToken()
  if (!opened) throw new Error('The identity provider gave no ID token.')
  latestLoad++
  writeSession({ status: 'signed-in', user: opened.user, openStep: opened.openStep })
}

/**
 * Ends the session at the shop, at the identity provider and in this browser concurrently, so that leaving the page
 * does not interrupt it. Throws if one of the two calls fails.
 */
export async function closeSession(): Promise<void> {
  latestLoad++
  writeSession({ status: 'loading' })
  const shop = call('signOut', {}).catch(ignoreVoid)
  const provider = signOut()
  // The sign-out call has already read the token.
  forgetAccessToken()
  await Promise.allSettled([shop, provider])
  writeSession({ status: 'signed-out', signedOutByUser: true })
  clearAccessToken()
  await Promise.all([shop, provider])
}

/** Forgets a session in this browser, after it has ended everywhere. */
export function forgetSession(): void {
  latestLoad++
  writeSession({ status: 'signed-out', signedOutByUser: true })
  clearAccessToken()
}

/** An expired token does not need to be revoked. */
function ignoreVoid(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) throw error
}

/** Reads email and name from a token without verifying it: the server verifies the signature. */
export function readClaims(token: string): { email: string; name: string } {
  const bytes = Uint8Array.from(decodeClaims(token), (character) => character.charCodeAt(0))
  const { email = '', name = '' } = JSON.parse(new TextDecoder().decode(bytes))
  return { email, name }
}
