import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

const variants = {
  primary: 'bg-signal text-white border-signal hover:bg-signal-deep hover:border-signal-deep',
  ink: 'bg-ink text-white border-ink hover:bg-ink-raised',
  quiet: 'bg-surface text-ink border-edge hover:border-ink hover:bg-shade',
  danger: 'bg-surface text-bad border-bad hover:bg-bad hover:text-white',
  bright: 'bg-signal-bright text-ink border-signal-bright hover:bg-white hover:border-white',
}
const sizes = {
  small: 'min-h-11 px-3 text-base pointer-fine:min-h-9',
  normal: 'min-h-11 px-5 text-lg',
  large: 'min-h-13 px-7 text-lg',
}

interface ButtonLook {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
}

/** Classes for buttons, and for links that look like buttons. */
export function buttonClass(
  variant: ButtonLook['variant'] = 'primary',
  size: ButtonLook['size'] = 'normal',
): string {
  return `inline-flex items-center justify-center gap-2 rounded-control border font-display font-semibold
    leading-none tracking-wide no-underline transition-colors whitespace-nowrap max-[22.4rem]:whitespace-normal
    inactive:cursor-not-allowed inactive:border-line inactive:bg-shade inactive:text-quiet ${variants[variant]} ${sizes[size]}`
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Work is in progress: the button does nothing and shows a spinner. */
  busy?: boolean
  children: ReactNode
}

/** With `aria-disabled` it does nothing and can keep the focus, for a button that its own press disables. */
export function Button({ variant, size, busy = false, className = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(variant, size)} ${className}`}
      aria-busy={busy}
      // Not `disabled`: the button would lose the focus. The Enter key in a field clicks it too.
      {...((busy || rest['aria-disabled']) && {
        'aria-disabled': true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
    >
      {busy && <Spinner className="size-5" />}
      {children}
    </button>
  )
}

interface LinkButtonProps extends ComponentProps<'a'>, ButtonLook {
  /** Undefined for a disabled link. */
  href: string | undefined
}

/**
 * A link that looks like a button. A disabled one can have the focus, so that screen readers read its description.
 */
export function LinkButton({ variant, size, className = '', children, ...rest }: LinkButtonProps) {
  const disabled = rest.href === undefined && ({ role: 'link', 'aria-disabled': true, tabIndex: 0 } as const)
  return (
    <a {...rest} {...disabled} className={`${buttonClass(variant, size)} ${className}`}>
      {children}
    </a>
  )
}

/** Classes for text fields and selects. */
export const controlClass = `w-full rounded-control border border-edge bg-surface px-3 text-base text-ink
  placeholder:text-quiet hover:border-ink aria-invalid:border-bad aria-invalid:outline-bad
  disabled:bg-shade disabled:text-quiet`

/** Classes for a select, with space for its arrow. */
export const selectClass = `${controlClass} pr-9`
