import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getPermissions, hasPermission } from '../../contract/permissions.ts'
import { call } from '../api.ts'
import { SecondStepGate } from '../features/identity/second-step-gate.tsx'
import { useUser } from '../features/identity/session.ts'
import { closeSession } from '../features/identity/session-actions.ts'
import { findPagePermission } from '../features/staff/pages.ts'
import { readStaffRole } from '../features/staff/permissions.tsx'
import { QueryError } from '../query-error.tsx'
import type { LayoutProps } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

/**
 * Guard of the pages for staff. Asks the server if the role in the session does not include the page, and signs a user out
 * only if the server confirms that they have no role. Trusting the session is safe, because the server checks the
 * role on every call.
 */
export default function AdminOnly({ children, pending }: LayoutProps) {
  const user = useUser()
  const { email } = user
  const permission = findPagePermission(useLocation().pathname)
  const isKnown = hasPermission(getPermissions(readStaffRole(user)), permission)
  const fresh = useQuery({
    queryKey: ['role', email],
    queryFn: ({ signal }) => call('getUser', { query: { email }, signal }),
    enabled: !isKnown,
    staleTime: 0,
    gcTime: 0,
  })
  const page = (
    <>
      {children}
      <SecondStepGate />
    </>
  )
  const role = fresh.data && readStaffRole(fresh.data)
  // A page that the last answer allows stays mounted while the role is read again, with what is typed in it.
  if (isKnown || hasPermission(getPermissions(role), permission)) return page
  if (fresh.isFetching || fresh.isPending) return pending
  if (fresh.isError) return <QueryError wholePage title="We couldn't check your admin access" query={fresh} />
  return role ? <NotIncluded /> : <SignOutNonAdmin />
}

const NotIncluded = () => (
  <div className="py-8 md:py-12">
    <EmptyState wholePage title="Your role does not include this page.">
      Ask the owner of the shop if you need it.
    </EmptyState>
  </div>
)

/** Signs out; the signed-in guard then redirects to the login page. */
function SignOutNonAdmin() {
  useEffect(() => {
    showToast('warning', 'Admin Access Required')
    closeSession().catch(reportError)
  }, [])
  return <FullSpinner />
}
