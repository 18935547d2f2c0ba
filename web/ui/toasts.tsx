import { lazy, Suspense } from 'react'
import { useToastsWanted } from './toast.ts'

const ToastPlace = lazy(() => import('./toast-place.tsx'))

/** Where toasts appear, on every page. */
export function Toasts() {
  if (!useToastsWanted()) return null
  return (
    <Suspense>
      <ToastPlace />
    </Suspense>
  )
}
