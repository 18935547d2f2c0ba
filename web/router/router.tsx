import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PublicSettings } from '../page-context.ts'
import { interceptNavigation, navigate } from './navigation.ts'
import type { Page, PageLocation } from './page.ts'

const Shown = createContext<{ page: Page; settings: PublicSettings } | null>(null)
const Next = createContext<URL | null>(null)

function useShown() {
  const shown = use(Shown)
  if (!shown) throw new Error('Every page stands in a router.')
  return shown
}

export const usePage = (): Page => useShown().page
export const useLocation = (): PageLocation => usePage().location
/** The shop's settings as the document brought them. */
export const useSettings = (): PublicSettings => useShown().settings
/** Where one is on the way to while the page of the place before is still shown; null: one has arrived. */
export const usePendingUrl = (): URL | null => use(Next)

/** Gets all that the page at an address is drawn from, or learns where it is now. */
export type OpenPage = (url: URL, signal: AbortSignal) => Promise<Page | { redirect: string }>

export interface RouterProps {
  /** The page that the document came with. */
  first: Page
  settings: PublicSettings
  /** Called after each navigation within the document, with the new page. */
  onNavigated?: (page: Page, settings: PublicSettings) => void
  /** Opens the pages that one goes to from there; the server has no use for it. */
  open?: OpenPage
  children: ReactNode
}

/** Shows page after page within one document. */
export function Router({ first, settings, onNavigated, open, children }: RouterProps) {
  const [page, setPage] = useState(first)
  const [next, setNext] = useState<URL | null>(null)
  const shown = useMemo(() => ({ page, settings }), [page, settings])

  // Before any page's own effects, some of which lead on.
  useLayoutEffect(() => {
    if (!open) return
    return interceptNavigation(async (url, signal) => {
      setNext(url)
      const opened = await open(url, signal)
      if (signal.aborted) return
      if ('redirect' in opened) return navigate(opened.redirect, { replace: true })
      // It is there when this resolves: then the browser puts the scroll position where it belongs.
      flushSync(() => {
        setPage(opened)
        setNext(null)
      })
      onNavigated?.(opened, settings)
    })
  }, [settings, onNavigated, open])

  useEffect(() => {
    const follow = () =>
      setPage((page) => ({ ...page, location: { ...page.location, hash: window.location.hash } }))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])

  return (
    <Shown value={shown}>
      <Next value={next}>{children}</Next>
    </Shown>
  )
}

export interface RedirectProps {
  to: string
  /** Is kept in the history, as JSON can tell it. */
  state?: unknown
}

/** Leads on to another place, which takes this one's in the history. */
export function Redirect({ to, state = null }: RedirectProps) {
  // Whoever redirects says the same again each time it is drawn.
  const serialized = JSON.stringify(state)
  useEffect(() => navigate(to, { replace: true, state: JSON.parse(serialized) as unknown }), [to, serialized])
  return null
}
