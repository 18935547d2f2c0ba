import { useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

export interface ToastState {
  /** Whether the toast container must be rendered. */
  hasHost: boolean
  /** Text of a toast that is shown without the library, whose code could not be loaded; else empty. */
  fallbackText: string
}

const none: ToastState = { hasHost: false, fallbackText: '' }
let state = none
const listeners = new Set<() => void>()

function change(changes: Partial<ToastState>): void {
  state = { ...state, ...changes }
  for (const listener of listeners) listener()
}

/** Loads the toast library when the first toast is shown. */
export const loadToastHost = () => import('./toast-host.tsx')

/** Shows a short message. If the library cannot be loaded, shows it as plain text. */
export function showToast(kind: ToastKind, text: string): void {
  loadToastHost()
    .then(({ toast }) => toast[kind](text))
    .then(
      () => change({ hasHost: true }),
      () => change({ fallbackText: text }),
    )
}

export const closePlainToast = () => change({ fallbackText: '' })

export function useToastState(): ToastState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
    () => none,
  )
}
