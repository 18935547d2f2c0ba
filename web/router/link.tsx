import type { ComponentProps, MouseEvent } from 'react'
import { type NavigateOptions, navigate } from './navigation.ts'

export interface LinkProps extends ComponentProps<'a'>, Pick<NavigateOptions, 'state' | 'keepScroll'> {
  href: string
}

/** A link that sets history state or keeps the scroll position. Other links are plain `<a>` elements. */
export function Link({ href, state, keepScroll, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href, { state, keepScroll })
  }
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  )
}
