import { createRoot } from 'react-dom/client'
import { CloseIcon } from './icons.tsx'

/** Shows a short message. If the toast library cannot be loaded, shows it as plain text. */
export function showToast(kind: 'success' | 'warning' | 'error' | 'info', text: string): void {
  import('./toast-host.tsx').then(
    ({ toast }) => {
      placeToasts()
      return toast[kind](text)
    },
    () => showPlainToast(text),
  )
}

let host: HTMLElement | null = null

/**
 * Moves all toasts into the topmost dialog, and back to the page when it closes. What is outside a modal dialog is behind
 * it, cannot be pressed and is not announced.
 */
export function placeToasts(): HTMLElement {
  host ??= document.createElement('div')
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const parent = dialog ?? document.body
  if (host.parentElement !== parent) parent.append(host)
  dialog?.addEventListener('close', placeToasts, { once: true })
  return host
}

let closePlainToast = () => {}

/** Fallback for a toast. It stays until the user closes it or the next one replaces it. */
function showPlainToast(text: string): void {
  closePlainToast()
  const box = placeToasts().appendChild(document.createElement('div'))
  const root = createRoot(box)
  closePlainToast = () => {
    root.unmount()
    box.remove()
  }
  root.render(
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
