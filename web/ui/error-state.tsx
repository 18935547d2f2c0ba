import { useEffect, useEffectEvent } from 'react'
import { waitForRecovery } from '../router/reachable.ts'
import { Button, buttonClass } from './button.tsx'

export interface ErrorStateProps {
  /** What did not work. */
  title: string
  /** It stands in for a whole page: its title is the page's. */
  wholePage?: boolean
  /** Why, as the shop told it. */
  message: string
  /** Without it the page is loaded again, which works without any script too. */
  onRetry?: () => void
}

/**
 * Says what happened, that nothing was lost, and what to do. If the shop cannot be reached, it retries by itself as soon as the
 * shop responds again.
 */
export function ErrorState({ title, wholePage = false, message, onRetry }: ErrorStateProps) {
  const retry = useEffectEvent(() => onRetry?.())
  useEffect(() => {
    const unmounted = new AbortController()
    void waitForRecovery(unmounted.signal).then((recovered) => recovered && retry())
    return () => unmounted.abort()
  }, [])
  const Heading = wholePage ? 'h1' : 'h2'
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-4 rounded-card border-l-4 border-bad bg-surface p-6 md:p-10"
    >
      <Heading className="font-display text-2xl font-bold">{title}</Heading>
      <p className="max-w-text text-quiet">{message} Nothing was lost or changed.</p>
      {onRetry ? (
        <Button variant="ink" onClick={onRetry}>
          Try again
        </Button>
      ) : (
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is that of this very page
        <a href="" className={buttonClass('ink')}>
          Try again
        </a>
      )}
    </div>
  )
}
