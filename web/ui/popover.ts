/** Closes the open popover that an element is in. A navigation within the document does not close it. */
export const closePopover = (element: Element): void =>
  element.closest<HTMLElement>(':popover-open')?.hidePopover()
