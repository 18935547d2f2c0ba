import { lazy, Suspense, useSyncExternalStore } from 'react'
import { CloseIcon } from './icons.tsx'

type ToastKind = 'success' | 'warning' | 'error' | 'info'

interface ToastState {
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
const loadToastHost = () => import('./toast-host.tsx')

/** Shows a short message. If the library cannot be loaded, shows it as plain text. */
export function showToast(kind: ToastKind, text: string): void {
  loadToastHost()
    .then(({ toast }) => toast[kind](text))
    .then(
      () => change({ hasHost: true }),
      () => change({ fallbackText: text }),
    )
}

const closePlainToast = () => change({ fallbackText: '' })

function useToastState(): ToastState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
    () => none,
  )
}

const ToastHost = lazy(loadToastHost)

/** Container for the toasts of all pages. */
export function Toasts() {
  const { hasHost, fallbackText } = useToastState()
  return (
    <>
      {hasHost && (
        <Suspense>
          <ToastHost />
        </Suspense>
      )}
      {fallbackText && <PlainToast text={fallbackText} />}
    </>
  )
}

/** Fallback for a toast. It stays until the user closes it. */
function PlainToast({ text }: { text: string }) {
  return (
    <div
      role="alert"
      className="fixed top-20 right-4 z-20 flex items-center gap-3 rounded-control border border-line bg-surface py-2 pr-2 pl-4 font-semibold"
    >
      {text}
      <button
        type="button"
        aria-label="close"
        className="rounded-control p-2 hover:bg-shade"
        onClick={closePlainToast}
      >
        <CloseIcon />
      </button>
    </div>
  )
}
