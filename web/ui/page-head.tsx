import type { ReactNode } from 'react'

interface PageHeadProps {
  title: ReactNode
  note?: ReactNode
  /** Actions. */
  children?: ReactNode
}

/** Heading of a page, with a note and actions. */
export function PageHead({ title, note, children }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 pt-8 pb-6 md:pt-12 md:pb-8">
      <div className="min-w-0 wrap-anywhere">
        <h1 className="torque-stripe font-display text-3xl font-bold md:text-4xl">{title}</h1>
        {note && <p className="mt-2 text-quiet">{note}</p>}
      </div>
      {children}
    </div>
  )
}

/** Heading of a section. Its height is the same with and without actions. */
export function SectionHead({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="mb-5 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 md:mb-7">
      <h2 id={id} className="torque-stripe font-display text-2xl font-bold md:text-3xl">
        {title}
      </h2>
      {children}
    </div>
  )
}
