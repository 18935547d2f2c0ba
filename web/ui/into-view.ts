/** A `ref` callback that scrolls a newly shown element into view. */
export function intoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
