import { useEffect, useRef, useState } from 'react'
import { navigate } from '../router/navigation.ts'
import { loadTimeoutMs } from '../router/page.ts'
import { useLocation, usePendingUrl } from '../router/router.tsx'
import { Slow } from '../ui/slow.tsx'
import { FullSpinner, PageSpinner } from '../ui/spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

/** Covers the old page while the next one loads. Lists stay visible, because their path does not change. */
export function NavigationSpinner() {
  const { pathname } = useLocation()
  const next = usePendingUrl()
  // The old list stays on the screen.
  const isList = next?.pathname === pathname
  return (
    <>
      {next && isList && (
        <div aria-live="polite" className="fixed inset-x-4 bottom-4 z-5 mx-auto max-w-narrow">
          <Slow
            key={next.href}
            className="rounded-card border-l-4 border-wait bg-wait-wash px-4"
            onRetry={() => repeat(next.href)}
          />
        </div>
      )}
      {next && !isList && (
        <div className="fixed inset-0 top-16 z-5 animate-late overflow-auto bg-paper">
          <PendingNavigation key={next.href} to={next.href} />
        </div>
      )}
      <PageSpinner onRetry={next ? () => repeat(next.href) : undefined} />
    </>
  )
}

/** Starts the navigation again. Its URL is already the current one. */
const repeat = (to: string) => navigate(to, { replace: true, state: window.history.state as unknown })

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

/**
 * Moves the focus to the new page, for keyboard and screen reader users. With the same path, only if the focused element is
 * gone, such as the link that removes a filter.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  const left = useRef({ pathname, search })
  useEffect(() => {
    const from = left.current
    left.current = { pathname, search }
    const isLost = from.search !== search && document.activeElement === document.body
    if (from.pathname !== pathname || isLost) main.current?.focus({ preventScroll: true })
  }, [pathname, search])
  return main
}
