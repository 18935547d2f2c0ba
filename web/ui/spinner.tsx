import { Slow } from './slow.tsx'

/** A hexagonal nut that turns in steps. */
export function Spinner({ className = 'size-12' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`animate-ratchet ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M12 2.5 20.2 7.25v9.5L12 21.5l-8.2-4.75v-9.5Z" opacity=".3" />
      <path d="M12 2.5 20.2 7.25v9.5" />
      <circle cx="12" cy="12" r="4" opacity=".3" />
    </svg>
  )
}

/** Spinner within a dialog or section, with words if it takes long. */
export const PartSpinner = ({ className = 'size-12' }: { className?: string }) => (
  <div role="status" className="flex flex-col items-center">
    <Spinner className={`text-signal ${className}`} />
    <span className="sr-only">Loading…</span>
    <Slow className="text-center" />
  </div>
)

/** Placeholder of a loading page. It shows `PageSpinner`. */
export const FullSpinner = () => (
  <div role="status" data-loading className="min-h-[calc(100svh-4rem)] in-data-[start=failed]:hidden">
    <span className="sr-only">Loading…</span>
    <noscript>
      <p className="text-center text-lg font-semibold">This page needs JavaScript.</p>
    </noscript>
  </div>
)

interface PageSpinnerProps {
  /** By default the document is reloaded. */
  onRetry?: (() => void) | undefined
}

/**
 * The spinner of all loading pages, at one place of the screen. It goes on while one placeholder replaces another, and
 * appears late, so that fast responses show no spinner.
 */
export const PageSpinner = ({ onRetry }: PageSpinnerProps) => (
  <div aria-live="polite" className="page-spinner animate-late text-signal">
    <Spinner />
    <Slow onRetry={onRetry} className="px-4 text-center text-ink" />
  </div>
)
