import type { ReactNode } from 'react'
import { WarningIcon } from './icons.tsx'
import { intoView } from './into-view.ts'

/** Error message in the page. It scrolls into view, and screen readers announce it. */
export function Alert({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <div
      ref={intoView}
      role="alert"
      id={id}
      className="flex animate-appear gap-3 rounded-control border-l-4 border-bad bg-bad-wash px-4 py-3 text-bad"
    >
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      <div className="font-semibold">{children}</div>
    </div>
  )
}
