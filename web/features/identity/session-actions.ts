import { clearAccessToken, forgetAccessToken, readAccessToken, storeAccessToken } from '../../access-token.ts'
import { ApiError, call, onExpiredAccessToken, type Reply } from '../../api.ts'
import { withRetry } from '../../retry.ts'
import { readIdToken } from './id-token.ts'
import { fetchIdToken, signOut } from './provider.ts'
import { readSession, registerSignOut, type Session, writeSession } from './session.ts'

let latestLoad = 0
onExpiredAccessToken(renewAccessToken)
registerSignOut(closeSession)

/** Reads again who is signed in. While that is in progress a user who is known already stays. */
export async function loadSession(): Promise<void> {
  const load = ++latestLoad
  const email = readAccessToken()?.email ?? ''
  const known = readSession()
  if (known.status !== 'signed-in' || known.user.email !== email) writeSession({ status: 'loading' })
  const next = await findSession(email)
  if (load === latestLoad) writeSession(next)
}

async function findSession(email: string): Promise<Session> {
  try {
    const known = email || (await renewAndRead())
    const user = await withRetry(() => call('getUser', { query: { email: known } }))
    return { status: 'signed-in', user }
  } catch (error) {
    // A refused token was cleared on the way; every other failure says nothing about who one is.
    return readAccessToken() ? { status: 'failed', error } : { status: 'signed-out', signedOutByUser: false }
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

/** Exchanges the identity provider's ID token for the shop's access token. Answers null if it has none. */
async function exchangeIdToken(): Promise<Reply<'exchangeIdToken'> | null> {
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
  writeSession({ status: 'signed-in', user: opened.user })
}

/**
 * Ends the session at the shop, at the identity provider and in this browser, all at once: who leaves the page before
 * the answers is signed out all the same. Throws when one of the two could not be told.
 */
export async function closeSession(): Promise<void> {
  latestLoad++
  writeSession({ status: 'loading' })
  const shop = call('signOut', {}).catch(ignoreVoid)
  const provider = signOut()
  // The call has taken the token with it.
  forgetAccessToken()
  const notified = await Promise.allSettled([shop, provider])
  writeSession({ status: 'signed-out', signedOutByUser: true })
  clearAccessToken()
  const failed = notified.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** A token that is over already needs no voiding. */
function ignoreVoid(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 401)) throw error
}
