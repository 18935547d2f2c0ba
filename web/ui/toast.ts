import { useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

export interface ToastState {
  /** Whether any toast has been shown, so that there must be a place for them. */
  place: boolean
  /** The text of a toast whose own code could not be loaded; empty if there is none. */
  plain: string
}

const none: ToastState = { place: false, plain: '' }
let needs = none
const listeners = new Set<() => void>()

function change(changes: Partial<ToastState>): void {
  needs = { ...needs, ...changes }
  for (const listener of listeners) listener()
}

/** The toasts' own code, loaded with the first one. */
export const loadToastHost = () => import('./toast-host.tsx')

/** Tells in passing what has happened; what it tells is never lost, whatever could not be loaded. */
export function showToast(kind: ToastKind, text: string): void {
  loadToastHost()
    .then(({ toast }) => toast[kind](text))
    .then(
      () => change({ place: true }),
      () => change({ plain: text }),
    )
}

export const closePlainToast = () => change({ plain: '' })

export function useToastState(): ToastState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => needs,
    () => none,
  )
}
