import { useEffect, useRef, useState } from 'react'
import { loadTimeoutMs } from '../router/page.ts'
import { useLocation, usePendingUrl } from '../router/router.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

/** Covers the old page while the next one loads. Lists stay visible, because their path does not change. */
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
        title="This page is taking too long to load"
        message="The server did not respond within two minutes."
        onRetry={() => window.location.assign(to)}
      />
    </div>
  )
}

/** Moves the focus to the new page, for keyboard and screen reader users. */
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
