import { useState } from 'react'
import { tooManyAttempts } from '../../../contract/waiting-time.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { signInWithGoogle } from './provider.ts'
import { openSession } from './session-actions.ts'
import { authMessage } from './sign-in-messages.ts'

interface GoogleButtonProps {
  /** True if a sandbox replaces Google, because the shop has no Google keys. Shows a note. */
  sandbox: boolean
  /** Error message of the last attempt, or an empty string. */
  failure: string
  onSignedIn: () => void
  /** Called with an empty string when an attempt begins. */
  onFailure: (message: string) => void
}

/** Outcomes of the popup with messages of their own. The user knows that they closed it. */
const popupMessages: Readonly<Record<string, string>> = {
  POPUP_BLOCKED:
    'Your browser blocked the Google window. Please allow pop-up windows for this site and try again.',
  POPUP_CLOSED: '',
  NOT_LINKED: 'An account with this email already exists. Please log in with your password.',
}

export function GoogleButton({ sandbox, failure, onSignedIn, onFailure }: GoogleButtonProps) {
  const [busy, setBusy] = useState(false)

  // Open the popup directly in the click handler, because browsers block later ones.
  const press = async () => {
    setBusy(true)
    onFailure('')
    try {
      const { error, retryAfter } = await signInWithGoogle()
      if (error === 'TOO_MANY_REQUESTS') return onFailure(tooManyAttempts(Number(retryAfter)))
      if (error !== null) return onFailure(popupMessages[error] ?? 'Login failed')
      await openSession()
      onSignedIn()
    } catch (error) {
      onFailure(authMessage(error, 'Login failed'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div>
      <BusyButton
        variant="quiet"
        className="w-full"
        busy={busy}
        // It is also busy while the user is at Google.
        slow="We are still waiting for Google. If its window is open, continue there."
        onClick={press}
      >
        {!busy && <GoogleMark />}
        Sign in using Google
      </BusyButton>
      {sandbox && (
        <p className="mt-2 text-sm text-quiet">
          <strong>TEST MODE.</strong> This opens a test sign-in page. You don't need a Google account.
        </p>
      )}
      {failure && (
        <div className="mt-4">
          <Alert>{failure}</Alert>
        </div>
      )}
    </div>
  )
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-5" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.4h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.5Z"
      />
      <path
        fill="#34A853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.3 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3a11.5 11.5 0 0 0 10.2 6.3Z"
      />
      <path fill="#FBBC05" d="M5.6 14.2a6.9 6.9 0 0 1 0-4.4v-3H1.8a11.5 11.5 0 0 0 0 10.4Z" />
      <path
        fill="#EA4335"
        d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.5 11.5 0 0 0 1.8 6.8l3.8 3C6.5 7.1 9 5.1 12 5.1Z"
      />
    </svg>
  )
}
