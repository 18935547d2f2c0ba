import type { ReactNode } from 'react'
import { focusIfLost } from './focus.ts'
import { CheckIcon, WarningIcon } from './icons.tsx'

interface AlertProps {
  children: ReactNode
  id?: string
  /** Moves the focus to the alert, for one that is far from the pressed button. */
  takesFocus?: boolean
}

/** Error message in the page. It scrolls into view, and screen readers announce it. */
export function Alert({ children, id, takesFocus = false }: AlertProps) {
  return (
    <div
      ref={takesFocus ? focusInView : intoView}
      role="alert"
      id={id}
      tabIndex={takesFocus ? -1 : undefined}
      className="flex scroll-mb-16 animate-appear gap-3 rounded-control border-l-4 border-bad bg-bad-wash px-4 py-3 text-bad"
    >
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      <div className="font-semibold">{children}</div>
    </div>
  )
}

/** Success message in the page. It gets the focus of the form or button that it replaces. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div
      ref={focusIfLost}
      role="status"
      tabIndex={-1}
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

function focusInView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  intoView(element)
}

/** A `ref` callback that scrolls a newly shown element into view. */
export function intoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
