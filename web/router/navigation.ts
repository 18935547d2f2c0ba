import type { PageLocation } from './page.ts'
import { isReachable } from './reachable.ts'

export interface NavigateOptions {
  /** Replaces the current history entry instead of adding one. */
  replace?: boolean
  /** Stored as `history.state` of the new entry. */
  state?: unknown
  /** Keeps the scroll position, for example when a list is sorted. */
  keepScroll?: boolean
}

/** Shows the page at a URL of the shop. Resolves when it is rendered. */
type Navigate = (url: URL, signal: AbortSignal) => Promise<void>

let navigateTo: Navigate | undefined
/** Passes the options of `navigate` to the `navigate` event, which the History API fires synchronously. */
const pendingNavigation = { keepsScroll: false, isIntercepted: false }

const isOwnOrigin = ({ origin }: URL): boolean => origin === window.location.origin

/** Navigates as a link does; `to` may be relative to the current URL. */
export function navigate(
  to: string,
  { replace = false, state = null, keepScroll = false }: NavigateOptions = {},
) {
  const url = new URL(to, window.location.href)
  if (!navigateTo || !isOwnOrigin(url)) {
    if (replace) window.location.replace(url)
    else window.location.assign(url)
    return
  }
  Object.assign(pendingNavigation, { keepsScroll: keepScroll, isIntercepted: false })
  if (replace) window.history.replaceState(state, '', url)
  else window.history.pushState(state, '', url)
  pendingNavigation.keepsScroll = false
  if (!pendingNavigation.isIntercepted) navigateWithHistory(url)
}

/** Loads the current page again without reloading the document. */
export function reopenPage({ pathname, search, hash, state }: PageLocation): void {
  navigate(pathname + search + hash, { replace: true, state, keepScroll: true })
}

/** Reloads the document. If the shop cannot be reached, keeps the document and its error page. */
export async function reloadPage(location: PageLocation): Promise<void> {
  if (await isReachable()) window.location.reload()
  else reopenPage(location)
}

/**
 * Handles links, GET forms, back, forward and `navigate` within the document. The browser restores the scroll position
 * and aborts a superseded navigation. Without the Navigation API, links and forms load a new document.
 *
 * @returns a function that stops the handling
 */
export function interceptNavigation(onNavigate: Navigate): () => void {
  navigateTo = onNavigate
  const listening = new AbortController()
  const { signal } = listening
  if ('navigation' in window) window.navigation.addEventListener('navigate', intercept, { signal })
  else addEventListener('popstate', () => navigateWithHistory(new URL(location.href)), { signal })
  return () => {
    listening.abort()
    navigateTo = undefined
  }
}

function intercept(event: NavigateEvent): void {
  const url = new URL(event.destination.url)
  const isDocument =
    event.navigationType === 'reload' || event.formData !== null || event.downloadRequest !== null
  if (!navigateTo || !event.canIntercept || event.hashChange || isDocument || !isOwnOrigin(url)) return
  const go = navigateTo
  pendingNavigation.isIntercepted = true
  event.intercept({
    focusReset: 'manual',
    scroll: pendingNavigation.keepsScroll ? 'manual' : 'after-transition',
    handler: () => go(url, event.signal),
  })
}

let previousNavigation = new AbortController()
function navigateWithHistory(url: URL): void {
  previousNavigation.abort()
  previousNavigation = new AbortController()
  navigateTo?.(url, previousNavigation.signal).catch(reportError)
}
