import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { flushSync } from 'react-dom'
import type { PageSettings } from '../page-context.ts'
import { interceptNavigation, isPlainClick, type NavigateOptions, navigate } from './navigation.ts'
import { type Page, type PageLocation, toRedirect } from './page.ts'

const Shown = createContext<{ page: Page; settings: PageSettings } | null>(null)
const Next = createContext<URL | null>(null)

function useShown() {
  const shown = use(Shown)
  if (!shown) throw new Error('usePage needs a Router.')
  return shown
}

export const usePage = (): Page => useShown().page
export const useLocation = (): PageLocation => usePage().location
/** The shop's settings, as read with the last page. */
export const useSettings = (): PageSettings => useShown().settings
/** URL of the navigation in progress, while the previous page is still shown; null if there is none. */
export const usePendingUrl = (): URL | null => use(Next)

/** Loads everything a page is rendered from, or returns the path to redirect to, see `toRedirect`. */
export type OpenPage = (url: URL, signal: AbortSignal) => Promise<Page | { redirect: string }>

export interface RouterProps {
  /** The page that the server rendered. */
  first: Page
  settings: PageSettings
  /** Loads the next pages; not set on the server. */
  open?: OpenPage
  children: ReactNode
}

/** Provides the current page and navigates within the document. */
export function Router({ first, settings, open, children }: RouterProps) {
  const [shown, setShown] = useState({ page: first, settings })
  const [next, setNext] = useState<URL | null>(null)

  // A layout effect runs before the effects of pages, some of which redirect.
  useLayoutEffect(() => {
    if (!open) return
    interceptNavigation(async (url, signal, keepScroll) => {
      setNext(url)
      const opened = await open(url, signal)
      // Stop of the browser aborts it too, without another navigation after it.
      if (signal.aborted) return setNext((now) => (now === url ? null : now))
      if ('redirect' in opened)
        return navigate(toRedirect(opened.redirect, url.search), { replace: true, keepScroll })
      // Render synchronously: the browser restores the scroll position when this promise resolves.
      flushSync(() => {
        setShown(({ settings }) => ({ page: opened, settings: { ...settings, ...opened.settings } }))
        setNext(null)
      })
      if (keepScroll !== false || signal.aborted) return
      const target = document.getElementById(url.hash.slice(1)) ?? document.body
      target.scrollIntoView()
    })
  }, [open])

  useEffect(() => {
    const follow = () =>
      setShown(({ page, settings }) => ({
        page: { ...page, location: { ...page.location, hash: window.location.hash } },
        settings,
      }))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])

  return (
    <Shown value={shown}>
      <Next value={next}>{children}</Next>
    </Shown>
  )
}

interface RedirectProps {
  to: string
  /** Stored as `history.state`; must be JSON. */
  state?: unknown
}

/** Redirects to another path and replaces the current history entry. */
export function Redirect({ to, state = null }: RedirectProps) {
  // Serialize the state, so that an equal state does not redirect again on re-render.
  const serialized = JSON.stringify(state)
  useEffect(() => navigate(to, { replace: true, state: JSON.parse(serialized) as unknown }), [to, serialized])
  return null
}

interface LinkProps extends ComponentProps<'a'>, Pick<NavigateOptions, 'state' | 'keepScroll' | 'replace'> {
  href: string
}

/** A link with options of a navigation. Other links are plain `<a>` elements. */
export function Link({ href, state, keepScroll, replace, onClick, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    navigate(href, { state, keepScroll, replace })
  }
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  )
}

const never = () => () => {}

/** Whether the page is hydrated. Forms that need scripts are disabled before. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
