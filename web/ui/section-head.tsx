import type { ReactNode } from 'react'

/** Heading of a section. Its height is the same with and without actions. */
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
