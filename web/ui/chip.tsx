import type { ComponentType, ReactNode } from 'react'
import type { IconProps } from './icons.tsx'

export interface ChipProps {
  /** Its colours are the class `tone-…` in app.css. */
  tone: 'good' | 'bad' | 'wait' | 'ink' | 'quiet'
  icon: ComponentType<IconProps>
  /** Whether a long text has several lines. */
  wraps?: boolean
  children: ReactNode
}

/** A status label. The icon and the text carry the meaning, so it does not depend on colour. */
export function Chip({ tone, icon: Icon, wraps = false, children }: ChipProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-control px-2 py-1 text-sm font-semibold ${wraps ? 'max-w-full leading-tight wrap-break-word' : 'leading-none whitespace-nowrap'} tone-${tone}`}
    >
      <Icon className="size-3.5 shrink-0" />
      {children}
    </span>
  )
}
