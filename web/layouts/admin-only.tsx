import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../api.ts'
import { SecondStepGate } from '../features/identity/second-step-gate.tsx'
import { useUser } from '../features/identity/session.ts'
import { closeSession } from '../features/identity/session-actions.ts'
import { QueryError } from '../query-error.tsx'
import type { LayoutProps } from '../router/page.ts'
import { FullSpinner } from '../ui/spinner.tsx'
import { showToast } from '../ui/toasts.tsx'

/**
 * Admin guard. Asks the server if the session has no admin role, and signs a user out only if the server confirms it.
 * Trusting the session is safe, because the server checks the role on every call.
 */
export default function AdminOnly({ children, pending }: LayoutProps) {
  const { email, role } = useUser()
  const known = role === 'admin'
  const fresh = useQuery({
    queryKey: ['role', email],
    queryFn: ({ signal }) => call('getUser', { query: { email }, signal }),
    enabled: !known,
    staleTime: 0,
    gcTime: 0,
  })
  const page = (
    <>
      {children}
      <SecondStepGate />
    </>
  )
  if (known) return page
  if (fresh.isFetching || fresh.isPending) return pending
  if (fresh.isError) return <QueryError wholePage title="We couldn't check your admin access" query={fresh} />
  return fresh.data.role === 'admin' ? page : <SignOutNonAdmin />
}

/** Signs out; the signed-in guard then redirects to the login page. */
function SignOutNonAdmin() {
  useEffect(() => {
    showToast('warning', 'Admin Access Required')
    closeSession().catch(reportError)
  }, [])
  return <FullSpinner />
}
