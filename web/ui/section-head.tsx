import type { ReactNode } from 'react'

/** The head of a part of a page; its height does not depend on what one can do there. */
export function SectionHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="mb-5 flex min-h-11 items-center justify-between gap-4 md:mb-7">
      <h2 id={id} className="torque-stripe font-display text-2xl font-bold md:text-3xl">
        {title}
      </h2>
      {children}
    </div>
  )
}
