import { type MouseEvent, type ReactNode, useEffect, useEffectEvent } from 'react'
import { waitForRecovery } from '../router/reachable.ts'
import { Button, buttonClass } from './button.tsx'

interface EmptyStateProps {
  title: string
  /** It replaces a whole page: the title is an `h1`. */
  wholePage?: boolean
  children: ReactNode
  action?: ReactNode
}

/** Explains an empty list or page, and offers an action. */
export function EmptyState({ title, wholePage = false, children, action }: EmptyStateProps) {
  const Heading = wholePage ? 'h1' : 'h2'
  return (
    <div className="flex flex-col items-start gap-4 rounded-card border border-dashed border-edge p-6 md:p-10">
      <Heading className="font-display text-2xl font-bold">{title}</Heading>
      <p className="max-w-text text-quiet">{children}</p>
      {action}
    </div>
  )
}

interface ErrorStateProps {
  /** The failed action, as a sentence. */
  title: string
  /** It replaces a whole page: the title is an `h1`. */
  wholePage?: boolean
  /** The cause, such as the message of an ApiError. */
  message: string
  /** `press` if the user asks for it. If it is missing, a link reloads the page. This also works without scripts. */
  onRetry?: (press?: MouseEvent) => void
}

/** Explains an error and offers a retry. After an outage it calls `onRetry` automatically. */
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
      <p className="max-w-text text-quiet">{message}</p>
      {onRetry ? (
        <Button variant="ink" onClick={onRetry}>
          Try again
        </Button>
      ) : (
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty href reloads this page
        <a href="" className={buttonClass('ink')}>
          Try again
        </a>
      )}
    </div>
  )
}
