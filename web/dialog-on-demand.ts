import { useEffect, useRef, useState } from 'react'
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
  const opener = useRef<HTMLElement>(null)
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
    open() {
      opener.current = document.activeElement as HTMLElement | null
      setOpen(true)
    },
    close() {
      setOpen(false)
      // The button was disabled while the code was loaded, so the dialog cannot return the focus to it.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) opener.current?.focus()
      })
    },
  }
}
