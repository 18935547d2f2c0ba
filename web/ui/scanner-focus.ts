import { useEffect } from 'react'

/** Moves typed characters to the field, even if a button has the focus: a scanner's Enter then never presses it. */
export function useScannerFocus(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    field.current?.focus()
    const focus = (event: KeyboardEvent) => {
      const isTyped = event.key.length === 1 && event.key !== ' '
      const active = document.activeElement
      const isElsewhere = active?.matches('input, textarea') || active?.closest('dialog')
      if (isTyped && !event.ctrlKey && !event.metaKey && !event.altKey && !isElsewhere) field.current?.focus()
    }
    document.addEventListener('keydown', focus, true)
    return () => document.removeEventListener('keydown', focus, true)
  }, [field])
}
