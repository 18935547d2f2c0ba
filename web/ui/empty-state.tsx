import type { ReactNode } from 'react'

/** Says what will be here, and offers the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-start gap-4 rounded-card border border-dashed border-edge p-6 md:p-10">
      <h2 className="font-display text-2xl font-bold">{title}</h2>
      <p className="max-w-text text-quiet">{children}</p>
      {action}
    </div>
  )
}
