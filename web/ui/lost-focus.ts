/** After the next render: moves the focus to the page if the focused element is gone. */
export function focusMainIfLost(): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) document.getElementById('main')?.focus({ preventScroll: true })
  })
}

/**
 * After the next render: if the focused button is gone with its row, moves the focus to the button after it, which is one of
 * the next row or below the list.
 */
export function focusNextIfLost(): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('#main button:enabled')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  // Safari does not focus a clicked button.
  if (index < 0) return
  requestAnimationFrame(() => {
    const next = buttons.slice(index + 1).find(({ isConnected }) => isConnected)
    if (isFocusLost()) next?.focus()
  })
}

export const isFocusLost = () => document.activeElement === document.body
