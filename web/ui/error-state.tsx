import { Button } from './button.tsx'

export interface ErrorStateProps {
  /** What did not work. */
  title: string
  /** Why, as the shop told it. */
  message: string
  onRetry: () => void
}

/** Says what happened, that nothing was lost, and what to do. */
export function ErrorState({ title, message, onRetry }: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-4 rounded-card border-l-4 border-bad bg-surface p-6 md:p-10"
    >
      <h2 className="font-display text-2xl font-bold">{title}</h2>
      <p className="max-w-text text-quiet">{message} Nothing was lost or changed.</p>
      <Button look="ink" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
