import { useEffect, useRef, useState } from 'react'
import { navigate } from '../router/navigation.ts'
import { LeaveDialog } from './dialog.tsx'

/**
 * Asks before the page with unsaved input is left: the browser asks before it leaves the document, a dialog before a
 * navigation within it. Chromium cancels Back only once after each input of the user; the next one leaves.
 */
export function LeaveQuestion({ isUnsaved }: { isUnsaved: boolean }) {
  const [stopped, setStopped] = useState<NavigateEvent | null>(null)
  const confirmedUrl = useRef('')

  useEffect(() => {
    if (!isUnsaved) return
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()
    const stop = (event: NavigateEvent) => {
      // The browser asks before it leaves the document.
      const staysHere = event.hashChange || event.downloadRequest !== null
      if (staysHere || !event.canIntercept || event.navigationType === 'reload' || !event.cancelable) return
      if (event.destination.url === confirmedUrl.current) return
      event.preventDefault()
      setStopped(event)
    }
    addEventListener('beforeunload', askBrowser)
    if ('navigation' in window) window.navigation.addEventListener('navigate', stop)
    return () => {
      removeEventListener('beforeunload', askBrowser)
      if ('navigation' in window) window.navigation.removeEventListener('navigate', stop)
    }
  }, [isUnsaved])

  if (!stopped) return null
  const leave = () => {
    const { destination, navigationType } = stopped
    confirmedUrl.current = destination.url
    setStopped(null)
    if (navigationType === 'traverse') window.navigation.traverseTo(destination.key)
    else navigate(destination.url, { replace: navigationType === 'replace' })
  }
  return <LeaveDialog onStay={() => setStopped(null)} onLeave={leave} />
}
