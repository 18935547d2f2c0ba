import { createRoot } from 'react-dom/client'
import { ToastContainer } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toast-host.css'
import { placeToasts } from './toasts.tsx'

export { toast } from 'react-toastify/unstyled'

/** Container for the toasts of all pages, mounted with the first toast. */
createRoot(placeToasts().appendChild(document.createElement('div'))).render(
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
