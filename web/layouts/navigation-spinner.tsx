import { useEffect, useRef, useState } from 'react'
import { loadTimeoutMs } from '../router/load-timeout.ts'
import { useLocation, usePendingUrl } from '../router/router.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { FullSpinner } from '../ui/spinner.tsx'

/** Covers the page that one is leaving while the next one takes its time; the pages of a list stay in view. */
export function NavigationSpinner() {
  const { pathname } = useLocation()
  const next = usePendingUrl()
  if (!next || next.pathname === pathname) return null
  return (
    <div className="fixed inset-0 top-16 z-5 animate-late overflow-auto bg-paper">
      <PendingNavigation key={next.href} to={next.href} />
    </div>
  )
}

function PendingNavigation({ to }: { to: string }) {
  const [overdue, setOverdue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOverdue(true), loadTimeoutMs)
    return () => clearTimeout(timer)
  }, [])
  if (!overdue) return <FullSpinner />
  return (
    <div className="page-width py-16">
      <ErrorState
        title="This page takes too long to load"
        message="The shop did not answer within two minutes."
        onRetry={() => window.location.assign(to)}
      />
    </div>
  )
}

/** Sends the focus to the new page, so that a keyboard and a screen reader arrive with it. */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const left = useRef(pathname)
  useEffect(() => {
    if (left.current === pathname) return
    left.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
