import { Component, type ReactNode, useEffect } from 'react'
import { reloadPage, reopenPage } from '../router/navigation.ts'
import type { Page } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { errorPageTitle, unreachableTitle } from '../texts.ts'
import { LinkButton } from '../ui/button.tsx'
import { ErrorState } from '../ui/states.tsx'

interface ErrorBoundaryProps {
  page: Page
  children: ReactNode
}

/** Shows an error page if rendering fails. Resets when the page changes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps> {
  override state = { hasFailed: false, page: this.props.page }

  static getDerivedStateFromProps({ page }: ErrorBoundaryProps, last: { page: Page }) {
    return page === last.page ? null : { hasFailed: false, page }
  }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <>
        <title>{errorPageTitle(500)}</title>
        <ErrorPage status={500} />
      </>
    )
  }
}

const retryIntervalMs = 2_000

const unexpected = { title: 'This page could not be loaded', message: 'Something went wrong on our side.' }
/** By status. 503: the database is unavailable, or there are too many requests. 0: the shop did not respond. */
const temporary: Record<number, typeof unexpected> = {
  503: { title: 'The shop is temporarily unavailable', message: 'Please try again in a moment.' },
  0: {
    title: unreachableTitle,
    message: 'Please check your connection. The page opens automatically when the shop responds again.',
  },
}

/** Replaces a page that cannot be shown. Retries automatically if the reason is temporary. */
export function ErrorPage({ status }: { status: number }) {
  const location = useLocation()
  const isTemporary = status in temporary
  useEffect(() => {
    if (!isTemporary) return
    // A failed attempt creates a new location object, which starts the next attempt.
    const timer = setTimeout(reopenPage, retryIntervalMs, location)
    return () => clearTimeout(timer)
  }, [isTemporary, location])
  if (status === 404) return <NotFound />
  const retry = () => (isTemporary ? reopenPage(location) : void reloadPage(location))
  return (
    <div className="page-width py-16">
      {/* With 503 it is a link, because an overloaded shop sends its page without scripts. */}
      <ErrorState
        wholePage
        {...(temporary[status] ?? unexpected)}
        onRetry={status === 503 ? undefined : retry}
      />
    </div>
  )
}

function NotFound() {
  return (
    <div className="page-width flex min-h-[70svh] flex-col items-start justify-center gap-6 py-16">
      <p className="torque-stripe font-display text-[clamp(4rem,16vw,11rem)] leading-none font-bold">
        Error 404
      </p>
      <h1 className="font-display text-3xl font-bold">Oops! Page is broken...</h1>
      <p className="max-w-text text-lg text-quiet">
        We can't find a page at this address. Check the spelling.
      </p>
      <LinkButton href="/" size="large">
        Back to homepage
      </LinkButton>
    </div>
  )
}
