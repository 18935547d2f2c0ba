/** A `ref` for what appears after a press: where it would stand beyond the edge, it is scrolled into view. */
export function intoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
