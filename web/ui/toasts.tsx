import { lazy, Suspense } from 'react'
import { CloseIcon } from './icons.tsx'
import { closePlainToast, loadToastHost, useToastState } from './toast.ts'

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
