import type { MouseEvent } from 'react'

/** Closes the popover menu of the clicked item. A navigation within the document does not close it. */
export function closeMenu(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>(':popover-open')?.hidePopover()
}
