import { useEffect, useState } from 'react'
import { readMessage } from './api.ts'
import { showToast } from './ui/toasts.tsx'

/**
 * A dialog whose code is loaded when it is opened.
 *
 * @param loaded the code, or null until it is loaded
 * @returns `code`: null until then, and after `close`
 */
export function useDialogOnDemand<Code>(load: () => Promise<Code>, loaded: Code | null) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    load().catch((error: unknown) => {
      setOpen(false)
      showToast('error', readMessage(error))
    })
  }, [isOpen, load])
  return {
    isOpen,
    isLoading: isOpen && !loaded,
    code: isOpen ? loaded : null,
    open: () => setOpen(true),
    close: () => setOpen(false),
  }
}
