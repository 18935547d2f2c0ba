import { useEffect, useRef } from 'react'
import { readMessage } from '../api.ts'
import { useAdminCheck } from '../features/identity/admin-check.ts'
import { closeSession } from '../features/identity/session-actions.ts'
import type { LayoutProps } from '../router/page.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { showToast } from '../ui/toast.ts'

/** Admin guard. Signs a user out only if the server confirms that the user is not an admin. */
export default function AdminOnly({ children }: LayoutProps) {
  const check = useAdminCheck()
  if (check.status === 'admin') return children
  if (check.status === 'not-admin') return <SignOutNonAdmin />
  if (check.status === 'checking') return <FullSpinner />
  return (
    <ErrorState
      wholePage
      title="We couldn't check your admin access"
      message={readMessage(check.error)}
      onRetry={check.retry}
    />
  )
}

/** Signs out; the signed-in guard then redirects to the login page. */
function SignOutNonAdmin() {
  const done = useRef(false)
  useEffect(() => {
    if (done.current) return
    done.current = true
    showToast('warning', 'Admin Access Required')
    closeSession().catch(reportError)
  }, [])
  return <FullSpinner />
}
