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

/**
 * Shows the page at a URL of the shop. Resolves when it is rendered and scrolled. `keepScroll` is undefined for back and
 * forward: the browser restores their scroll position.
 */
type Navigate = (url: URL, signal: AbortSignal, keepScroll?: boolean) => Promise<void>

let navigateTo: Navigate
/** Passes the option of `navigate` to the `navigate` event, which the History API fires synchronously. Unset by the event. */
let pendingKeepScroll: boolean | undefined

/** Navigates as a link does; `to` may be relative to the current URL. It must be a URL of the shop. */
export function navigate(
  to: string,
  { replace = false, state = null, keepScroll = false }: NavigateOptions = {},
) {
  pendingKeepScroll = keepScroll
  if (replace) window.history.replaceState(state, '', to)
  else window.history.pushState(state, '', to)
  if (pendingKeepScroll === undefined) return
  pendingKeepScroll = undefined
  followHistory(keepScroll)
}

/** Whether a click opens a link here, and not in another tab or window. */
export const isPlainClick = (
  event: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>,
): boolean => !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** Returns search parameters with changes. An empty value removes its parameter. */
export function changeParameters(search: string, changes: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/** Scrolls to the top of a page that has become shorter, even if the browser is still restoring its scroll position. */
export async function scrollToTop(): Promise<void> {
  await window.navigation?.transition?.finished.catch(() => undefined)
  window.scrollTo(0, 0)
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
 * Handles links, GET forms, back, forward and `navigate` within the document. The browser aborts a superseded navigation,
 * and restores the scroll position of back and forward. Without the Navigation API, links and forms load a new document.
 */
export function interceptNavigation(onNavigate: Navigate): void {
  navigateTo = onNavigate
  if ('navigation' in window) window.navigation.addEventListener('navigate', intercept)
  else addEventListener('popstate', () => followHistory())
}

function intercept(event: NavigateEvent): void {
  const { navigationType, formData, downloadRequest } = event
  const isDocument = navigationType === 'reload' || formData || downloadRequest !== null
  // A navigation to another origin cannot be intercepted.
  if (!event.canIntercept || event.hashChange || isDocument) return
  const keepScroll = navigationType === 'traverse' ? undefined : (pendingKeepScroll ?? false)
  pendingKeepScroll = undefined
  event.intercept({
    focusReset: 'manual',
    // After the browser's own scrolling, touches hit the wrong place in Safari 26.2 (https://webkit.org/b/309542).
    scroll: keepScroll === undefined ? 'after-transition' : 'manual',
    handler: () => navigateTo(new URL(event.destination.url), event.signal, keepScroll),
  })
}

let previousNavigation = new AbortController()
/** Shows the page of the current URL, in a browser without the Navigation API. */
function followHistory(keepScroll?: boolean): void {
  previousNavigation.abort()
  previousNavigation = new AbortController()
  navigateTo(new URL(window.location.href), previousNavigation.signal, keepScroll).catch(reportError)
}
