/** On a slow device the render without the focused element may be several frames late. */
const maxRenderMs = 3_000

/** Moves the focus to the page once the focused element is gone, unless the user goes on before. */
export function focusMainIfLost(): void {
  const end = performance.now() + maxRenderMs
  let isOver = false
  const stop = () => {
    isOver = true
  }
  addEventListener('keydown', stop, { once: true })
  addEventListener('pointerdown', stop, { once: true })
  const check = () => {
    if (isOver) return
    if (isFocusLost()) document.getElementById('main')?.focus({ preventScroll: true })
    else if (performance.now() < end) requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
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
