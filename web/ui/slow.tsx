import { type MouseEvent, useState } from 'react'
import { reloadPage } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'

interface SlowProps {
  /** The state in words, and what cannot happen. */
  text?: string
  /** By default the document is reloaded. Null: there is nothing to try again. */
  onRetry?: (() => void) | null | undefined
  className?: string
}

/**
 * Beside what waits for the server: appears after 8 s, with a way to try again. The delay is in the style sheet, so that
 * it also works before the scripts are loaded.
 */
export function Slow({
  text = 'The shop is slow to respond. We are still waiting.',
  onRetry,
  className = '',
}: SlowProps) {
  const location = useLocation()
  const [attempts, setAttempts] = useState(0)
  const retry = (event: MouseEvent) => {
    event.preventDefault()
    // The next attempt has 8 s again.
    setAttempts(attempts + 1)
    if (onRetry) onRetry()
    else void reloadPage(location)
  }
  return (
    <span key={attempts} className={`block animate-slow overflow-hidden ${className}`}>
      {text}{' '}
      {onRetry !== null && (
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- without scripts, an empty href reloads this page
        <a
          href=""
          onClick={retry}
          className="inline-flex min-h-11 items-center font-semibold text-signal underline"
        >
          Try again
        </a>
      )}
    </span>
  )
}
