/** A `ref` callback that focuses a newly shown element. */
export const focus = (element: HTMLElement | null): void => element?.focus()

/** The same, but only if the focused element is gone. */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) focus(element)
}
