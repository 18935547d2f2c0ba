import { createRoot } from 'react-dom/client'
import { ToastContainer, toast } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toast-host.css'
import { type ToastKind, toastParent } from './toasts.tsx'

/** Container for the toasts of all pages, mounted with the first toast. */
const host = document.createElement('div')

/** Moves the toasts into the topmost dialog, and back to the page when it closes. */
function placeHost(): void {
  const parent = toastParent()
  if (host.parentElement !== parent) parent.append(host)
  parent.addEventListener('close', placeHost, { once: true })
}

placeHost()
createRoot(host).render(
  <ToastContainer
    position="top-right"
    theme="light"
    autoClose={5000}
    draggable
    draggablePercent={80}
    pauseOnHover
    pauseOnFocusLoss
    closeOnClick={false}
  />,
)

export function show(kind: ToastKind, text: string): void {
  placeHost()
  toast[kind](text)
}
