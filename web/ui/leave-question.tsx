import { useEffect, useRef, useState } from 'react'
import { isPlainClick, navigate } from '../router/navigation.ts'
import { LeaveDialog } from './dialog.tsx'

/** A navigation that waits for the answer. */
interface StoppedNavigation extends Pick<NavigateEvent, 'navigationType'> {
  destination: Pick<NavigationDestination, 'url' | 'key'>
}

/**
 * Asks before the page with unsaved input is left: the browser asks before it leaves the document, a dialog before a
 * navigation within it. Chromium cancels Back only once after each input of the user; the next one leaves.
 *
 * Without the Navigation API a dialog asks at the click on a link, because browsers on iOS do not ask. Back cannot be asked
 * there: no event of it can be cancelled.
 */
export function LeaveQuestion({ isUnsaved }: { isUnsaved: boolean }) {
  const [stopped, setStopped] = useState<StoppedNavigation | null>(null)
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
    const stopLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || !opensOtherPage(link) || !isPlainClick(event)) return
      event.preventDefault()
      event.stopPropagation()
      setStopped({ navigationType: 'push', destination: { url: link.href, key: '' } })
    }
    addEventListener('beforeunload', askBrowser)
    if ('navigation' in window) window.navigation.addEventListener('navigate', stop)
    else document.addEventListener('click', stopLink, true)
    return () => {
      removeEventListener('beforeunload', askBrowser)
      if ('navigation' in window) window.navigation.removeEventListener('navigate', stop)
      else document.removeEventListener('click', stopLink, true)
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

/** Whether a link opens another page of the shop in this tab. */
function opensOtherPage({ href, origin, hash, target, download }: HTMLAnchorElement): boolean {
  const isWithinPage = hash !== '' && href.split('#')[0] === location.href.split('#')[0]
  return origin === location.origin && !target && !download && !isWithinPage
}
