import type { PageLocation } from './page.ts'
import { isReachable } from './reachable.ts'

export interface NavigateOptions {
  /** Whether the new place takes the one of the present in the history. */
  replace?: boolean
  /** Is kept in the history with the place. */
  state?: unknown
  /** Whether what is in view stays so: for another look at the same page. */
  keepScroll?: boolean
}

/** Shows the page at an address of the shop; resolves when it is there. */
export type Navigate = (url: URL, signal: AbortSignal) => Promise<void>

let navigateTo: Navigate | undefined
/** The step that `navigate` is making at this moment. */
const pendingNavigation = { keepsScroll: false, isIntercepted: false }

const isOwnOrigin = ({ origin }: URL): boolean => origin === window.location.origin

/** Goes to an address of the shop, as a link there does; `to` may be relative to the present one. */
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

/** Opens the present page again, within its document. */
export function reopenPage({ pathname, search, hash, state }: PageLocation): void {
  navigate(pathname + search + hash, { replace: true, state, keepScroll: true })
}

/** Loads the document again. If the shop cannot be reached, the visitor stays in it. */
export async function reloadPage(location: PageLocation): Promise<void> {
  if (await isReachable()) window.location.reload()
  else reopenPage(location)
}

/**
 * Travels wherever the browser is about to go: by a link, a form, back, forward, or `navigate`. The browser moves the scroll
 * position and aborts what is overtaken. One that lacks the Navigation API loads documents: each page comes as one.
 *
 * @returns what ends it
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
