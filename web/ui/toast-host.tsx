import { ToastContainer } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toast-host.css'

export { toast } from 'react-toastify/unstyled'

export default function ToastHost() {
  return (
    <ToastContainer
      position="top-right"
      theme="light"
      autoClose={5000}
      draggable
      draggablePercent={80}
      pauseOnHover
      pauseOnFocusLoss
      closeOnClick={false}
    />
  )
}
