import { createRoot } from 'react-dom/client'
import { CloseIcon } from './icons.tsx'

export type ToastKind = 'success' | 'warning' | 'error' | 'info'

/** Shows a short message. If the toast library cannot be loaded, shows it as plain text. */
export function showToast(kind: ToastKind, text: string): void {
  import('./toast-host.tsx').then(
    (host) => host.show(kind, text),
    () => showPlainToast(text),
  )
}

/** The topmost dialog, or the page. What is outside a modal dialog is behind it, cannot be pressed and is not announced. */
export const toastParent = (): Element =>
  [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body

let closePlainToast = () => {}

/** Fallback for a toast. It stays until the user closes it or the next one replaces it. */
function showPlainToast(text: string): void {
  closePlainToast()
  const host = toastParent().appendChild(document.createElement('div'))
  closePlainToast = () => host.remove()
  createRoot(host).render(
    <div
      role="alert"
      className="fixed top-20 right-4 z-20 flex items-center gap-3 rounded-control border border-line bg-surface py-2 pr-2 pl-4 font-semibold"
    >
      {text}
      <button
        type="button"
        aria-label="close"
        className="-my-1 rounded-control p-3 hover:bg-shade"
        onClick={closePlainToast}
      >
        <CloseIcon />
      </button>
    </div>,
  )
}
