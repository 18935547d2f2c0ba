import type { MouseEvent } from 'react'

/** Closes the menu (a `popover`) that the pressed item stands in: following a link does not do so by itself. */
export function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>(':popover-open')?.hidePopover()
}
