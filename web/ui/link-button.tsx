import { Link, type LinkProps } from 'react-router'
import { type ButtonLook, type ButtonSize, buttonClass } from './button.tsx'

export interface LinkButtonProps extends LinkProps {
  look?: ButtonLook
  size?: ButtonSize
}

/** A link that looks like what it is: the next step. */
export function LinkButton({ look, size, className = '', ...rest }: LinkButtonProps) {
  return <Link {...rest} className={`${buttonClass(look, size)} ${className}`} />
}
