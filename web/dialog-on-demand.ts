import { useEffect, useState } from 'react'
import { readMessage } from './api.ts'
import type { OnDemand } from './on-demand.ts'
import { showToast } from './ui/toasts.tsx'

/**
 * A dialog or form whose code is loaded when it is opened.
 *
 * @returns `code`: null until it is loaded, and after `close`
 */
export function useDialogOnDemand<Code>({ load, useCode }: OnDemand<Code>) {
  const loaded = useCode()
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
