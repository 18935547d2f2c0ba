import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { readMessage } from '../api.ts'
import { toReturnState, useSession } from '../features/identity/session.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { retryDelay, shouldRetry } from '../retry.ts'
import type { LayoutProps } from '../router/page.ts'
import { Redirect, useLocation } from '../router/router.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

/** Guard of all pages that need a signed-in user. */
export default function SignedIn({ children }: LayoutProps) {
  const session = useSession()
  const location = useLocation()
  switch (session.status) {
    case 'loading':
      return <FullSpinner />
    case 'failed':
      return (
        <div className="page-width py-16">
          <ErrorState
            wholePage
            title="We couldn't load your account"
            message={readMessage(session.error)}
            onRetry={() => void loadSession()}
          />
        </div>
      )
    case 'signed-out':
      return <Redirect to="/login" state={session.signedOutByUser ? null : toReturnState(location)} />
    case 'signed-in':
      // Another user gets a new query cache, without the data of this one.
      return <UserScope key={session.user._id}>{children}</UserScope>
  }
}

function UserScope({ children }: LayoutProps) {
  const [client] = useState(createQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** Unused query data is garbage-collected after five minutes. */
const gcTime = 300_000

const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay, gcTime, staleTime: 10_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
