import { noAnswer, toApiError } from '../../api.ts'

interface Credentials {
  email: string
  password: string
}

/** Creates an account and signs in with it. */
export const signUp = ({ email, password, name }: Credentials & { name: string }): Promise<void> =>
  post('/sign-up/email', { email, password, name })

/** Sets the name of the signed-in account. The next ID token contains it. */
export const setDisplayName = (name: string): Promise<void> => post('/update-user', { name })

export const signIn = ({ email, password }: Credentials): Promise<void> =>
  post('/sign-in/email', { email, password })

/** Requests a password reset email. Also succeeds if the account does not exist. */
export const requestPasswordReset = (email: string): Promise<void> =>
  post('/request-password-reset', { email })

/** Sets a new password with the token from a password reset email. */
export const resetPassword = (body: { token: string; password: string }): Promise<void> =>
  post('/reset-password', body)

/** Requests a verification email for the signed-in user. */
export const sendVerificationEmail = (): Promise<void> => post('/send-verification-email', {})

/** Confirms the user's email with the token from a verification email. */
export const verifyEmail = (token: string): Promise<void> => post('/verify-email', { token })

const readEmail = () => get<{ email: string; verified: boolean }>('/email')

/** Returns whether the signed-in user's email is verified, or null if no one is signed in. */
export const isEmailVerified = async (): Promise<boolean | null> => (await readEmail())?.verified ?? null

/** Returns whether the signed-in user has another email at the identity provider. */
export async function hasOtherEmail(email: string): Promise<boolean> {
  const account = await readEmail()
  return account !== null && account.email !== email
}

/** Replaces the password of the signed-in user, and ends all other sessions. */
export const changePassword = (body: { currentPassword: string; password: string }): Promise<void> =>
  post('/change-password', body)

/** Requests an email with a link that confirms the new email of the signed-in user. */
export const requestEmailChange = (body: Credentials): Promise<void> => post('/request-email-change', body)

/** Changes the user's email with the token from that link. */
export const confirmEmailChange = (token: string): Promise<void> => post('/confirm-email-change', { token })

/** Ends all sessions of the signed-in user, including this one. */
export const signOutEverywhere = (): Promise<void> => post('/sign-out-everywhere', {})

/** Returns how the user signs in. */
export async function readAccount(): Promise<{ hasPassword: boolean }> {
  const account = await get<{ hasPassword: boolean }>('/account')
  if (!account) throw new Error('No one is signed in.')
  return account
}

/** Ends the session at the identity provider. The shop's access token is handled separately. */
export const signOut = (): Promise<void> => post('/sign-out', {})

/**
 * Returns a new ID token of the signed-in user, or null if no one is signed in.
 *
 * @throws ApiError: it is then unknown whether a user is signed in
 */
export const fetchIdToken = async (): Promise<string | null> =>
  (await get<{ token: string }>('/token'))?.token ?? null

interface PopupOutcome {
  /** Null after a sign-in. Otherwise POPUP_BLOCKED, POPUP_CLOSED, or the code that the popup reported. */
  error: string | null
  /** Seconds to wait before the next attempt, if the popup sent them. */
  retryAfter?: string | null
}

/**
 * Signs in with Google in a popup; settles when the popup sends its result or is closed. Call it directly in the
 * click handler, because browsers block later popups.
 */
export async function signInWithGoogle(): Promise<PopupOutcome> {
  const popup = open('/idp/popup', 'torque-yard-sign-in', popupFeatures(500, 760))
  if (!popup) return { error: 'POPUP_BLOCKED' }
  return new Promise((resolve) => {
    let seenClosed = false
    const watch = setInterval(() => {
      // Wait one more interval: the message of a popup that closes itself may still arrive.
      if (seenClosed) settle({ error: 'POPUP_CLOSED' })
      seenClosed = popup.closed
    }, 250)
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== popup || data?.type !== 'torque-yard:sign-in') return
      settle(data)
    }
    const settle = (outcome: PopupOutcome) => {
      clearInterval(watch)
      removeEventListener('message', listen)
      resolve(outcome)
    }
    addEventListener('message', listen)
  })
}

function popupFeatures(width: number, height: number): string {
  const left = Math.round(screenX + (outerWidth - width) / 2)
  const top = Math.round(screenY + (outerHeight - height) / 2)
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}

/** Returns null if no one is signed in. */
async function get<Body>(path: string): Promise<Body | null> {
  const response = await send(path, { cache: 'no-store' })
  if (response.status === 401) return null
  if (!response.ok) throw await toApiError(response)
  return response.json()
}

async function post(path: string, body: object): Promise<void> {
  const response = await send(path, {
    method: 'POST',
    // Completes a sign-out even if the user leaves the page immediately.
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await toApiError(response)
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`/idp${path}`, init)
  } catch (error) {
    throw noAnswer(error)
  }
}
