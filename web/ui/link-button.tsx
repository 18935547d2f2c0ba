import type { ComponentProps } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button.tsx'

export interface LinkButtonProps extends ComponentProps<'a'> {
  href: string
  variant?: ButtonVariant
  size?: ButtonSize
}

/** A link that looks like a button. */
export function LinkButton({ variant, size, className = '', children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={`${buttonClass(variant, size)} ${className}`}>
      {children}
    </a>
  )
}
