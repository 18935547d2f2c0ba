import { useEffect } from 'react'
import { reopenPage } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { unreachableTitle } from '../texts.ts'
import { ErrorState } from '../ui/error-state.tsx'

const retryIntervalMs = 2_000

/**
 * Error page that retries automatically. Status 503: the database is unavailable, or there are too many requests.
 * Status 0: the shop did not respond.
 */
export function Unavailable({ status }: { status: 0 | 503 }) {
  const location = useLocation()
  useEffect(() => {
    // A failed attempt creates a new location object, which starts the next attempt.
    const timer = setTimeout(reopenPage, retryIntervalMs, location)
    return () => clearTimeout(timer)
  }, [location])
  return (
    <div className="page-width py-16">
      {status === 503 ? (
        <ErrorState
          wholePage
          title="The shop is temporarily unavailable"
          message="Please try again in a moment."
        />
      ) : (
        <ErrorState
          wholePage
          title={unreachableTitle}
          message="Please check your connection. This page opens automatically when the shop responds again."
          onRetry={() => reopenPage(location)}
        />
      )}
    </div>
  )
}
