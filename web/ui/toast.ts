import { useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

let wanted = false
const listeners = new Set<() => void>()

/** Tells in passing what has happened. The toasts' own code is loaded with the first one. */
export function showToast(kind: ToastKind, text: string): void {
  wanted = true
  for (const listener of listeners) listener()
  import('react-toastify/unstyled').then(({ toast }) => toast[kind](text), reportError)
}

/** Whether any toast has been shown, so that there must be a place for them. */
export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wanted,
    () => false,
  )
}
