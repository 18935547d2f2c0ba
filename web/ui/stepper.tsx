import type { ComponentProps } from 'react'
import { controlClass } from './button.tsx'

interface StepperProps extends ComponentProps<'input'> {
  /** Names the number in the labels of the buttons, such as `quantity`. */
  named: string
  /** Whether the number can be decreased. */
  canDecrease?: boolean
  onStep: (step: 1 | -1) => void
}

/** Number input between buttons for one more and one fewer. */
export function Stepper({ named, canDecrease = true, onStep, className = '', ...input }: StepperProps) {
  const button = `w-11 border border-edge bg-surface font-display text-xl font-semibold hover:bg-shade
    disabled:bg-shade disabled:text-quiet aria-disabled:text-quiet`
  return (
    <div className="flex h-11">
      <button
        type="button"
        aria-label={`Decrease ${named}`}
        aria-disabled={!canDecrease || undefined}
        className={`${button} rounded-l-control border-r-0`}
        onClick={() => canDecrease && onStep(-1)}
      >
        −
      </button>
      <input
        type="number"
        inputMode="numeric"
        {...input}
        className={`${controlClass} [appearance:textfield] [&::-webkit-inner-spin-button]:hidden relative min-w-0 focus:z-1
          rounded-none px-1 text-center font-semibold tabular-nums ${className}`}
      />
      <button
        type="button"
        aria-label={`Increase ${named}`}
        className={`${button} rounded-r-control border-l-0`}
        onClick={() => onStep(1)}
      >
        +
      </button>
    </div>
  )
}
