import type { ReactNode } from 'react'

export interface EmptyStateProps {
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
