import type { ReactNode } from 'react'

interface RadioCardProps {
  /** The name of the group. */
  name: string
  checked: boolean
  onChoose: () => void
  children: ReactNode
}

/** One of several options, as a card with a radio button. */
export const RadioCard = ({ name, checked, onChoose, children }: RadioCardProps) => (
  <label
    className="flex min-h-11 gap-3 rounded-card border border-edge bg-surface p-4 hover:border-ink
      has-checked:border-ink has-checked:bg-shade has-focus-visible:outline-3 has-focus-visible:outline-offset-2
      has-focus-visible:outline-signal"
  >
    <input
      type="radio"
      name={name}
      checked={checked}
      onChange={onChoose}
      className="mt-0.5 size-5 shrink-0 accent-signal"
    />
    {children}
  </label>
)
