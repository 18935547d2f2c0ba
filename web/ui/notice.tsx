import type { ReactNode } from 'react'
import { CheckIcon } from './icons.tsx'

/** Success message in the page. Screen readers announce it. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex animate-appear flex-col gap-2 rounded-control border-l-4 border-good bg-good-wash px-4 py-3"
    >
      <p className="flex items-center gap-2 font-semibold text-good">
        <CheckIcon className="size-5 shrink-0" />
        {title}
      </p>
      {children}
    </div>
  )
}
