import { useEffect, useState } from 'react'
import { readMessage } from './api.ts'
import { showToast } from './ui/toasts.tsx'

/**
 * A dialog or form whose code is loaded when it is opened.
 *
 * @param loaded the code, or null until it is loaded
 * @returns `code`: null until then, and after `close`
 */
export function useDialogOnDemand<Code>(load: () => Promise<Code>, loaded: Code | null) {
  const [{ isOpen, count }, setState] = useState({ isOpen: false, count: 0 })
  useEffect(() => {
    if (!isOpen) return
    load().catch((error: unknown) => {
      setState((now) => ({ ...now, isOpen: false }))
      showToast('error', readMessage(error))
    })
  }, [isOpen, load])
  return {
    isOpen,
    isLoading: isOpen && !loaded,
    code: isOpen ? loaded : null,
    open: () => setState((now) => ({ isOpen: true, count: now.count + 1 })),
    // A dialog that was closed while it saved closes none that was opened since.
    close: () => setState((now) => (now.count === count ? { isOpen: false, count } : now)),
  }
}
