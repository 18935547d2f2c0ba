import type { ComponentProps } from 'react'
import { type ButtonLook, type ButtonSize, buttonClass } from './button.tsx'

export interface LinkButtonProps extends ComponentProps<'a'> {
  href: string
  look?: ButtonLook
  size?: ButtonSize
}

/** A link that looks like what it is: the next step. */
export function LinkButton({ look, size, className = '', children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={`${buttonClass(look, size)} ${className}`}>
      {children}
    </a>
  )
}
