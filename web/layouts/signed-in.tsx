import { useState } from 'react'
import { readMessage } from '../api.ts'
import { endedState, toReturnState, useSession } from '../features/identity/session.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { QueryScope } from '../query-scope.tsx'
import type { LayoutProps } from '../router/page.ts'
import { Redirect, useLocation } from '../router/router.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

/** Guard of all pages that need a signed-in user. */
export default function SignedIn({ children, pending }: LayoutProps) {
  const session = useSession()
  const location = useLocation()
  const [wasSignedIn, setSignedIn] = useState(false)
  if (session.status === 'signed-in' && !wasSignedIn) setSignedIn(true)
  switch (session.status) {
    case 'loading':
      return pending
    case 'failed':
      return (
        <div className="mx-auto max-w-page px-4 py-16">
          <ErrorState
            wholePage
            title="We couldn't load your account"
            message={readMessage(session.error)}
            onRetry={() => void loadSession()}
          />
        </div>
      )
    case 'signed-out': {
      const toState = wasSignedIn ? endedState : toReturnState
      return (
        <>
          {/* Fills the screen, so that the footer stays out of view until the login page is loaded. */}
          <FullSpinner />
          <Redirect to="/login" state={session.signedOutByUser ? null : toState(location)} />
        </>
      )
    }
    case 'signed-in':
      // Another user gets a new query cache, without the data of this one.
      return <QueryScope key={session.user._id}>{children}</QueryScope>
  }
}
