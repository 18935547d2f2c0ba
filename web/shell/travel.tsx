import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { FullSpinner } from '../ui/spinner.tsx'

/** Covers the page that one is leaving while the next one takes its time; the pages of a list stay in view. */
export function TravelSpinner() {
  const { pathname } = useLocation()
  const next = useNavigation().location
  if (!next || next.pathname === pathname) return null
  return (
    <div className="fixed inset-0 top-16 z-5 animate-late overflow-hidden bg-paper">
      <FullSpinner />
    </div>
  )
}

/** Sends the focus to the new page, so that a keyboard and a screen reader arrive with it. */
export function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const left = useRef(pathname)
  useEffect(() => {
    if (left.current === pathname) return
    left.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
