import { loadTimeoutMs } from '../router/page.ts'

/**
 * Shows a message if a script cannot be loaded, for example after a deployment, or if hydration takes too long.
 * Follows links that the router does not handle only if the shop responds, to avoid the browser's error page.
 * After a reload, back and forward keep the document: until the router handles them, loads the document of the new URL.
 *
 * Sent to the browser as source text, so it must not use imports or variables of this module.
 */
function watchHydration(loadTimeoutMs: number): void {
  const page = document.documentElement
  const giveUp = () => {
    if (page.dataset.start !== 'done') page.dataset.start = 'failed'
  }
  const isScript = (target: EventTarget | null) => target === window || target instanceof HTMLScriptElement
  addEventListener('error', ({ target }) => isScript(target) && giveUp(), true)
  addEventListener('unhandledrejection', giveUp)
  setTimeout(giveUp, loadTimeoutMs)

  const retryIntervalMs = 2_000
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  const open = (url: string) => {
    delete page.dataset.unreachable
    if (url === location.href) location.reload()
    else location.assign(url)
  }
  const follow = (url: string) => {
    clearTimeout(retryTimer)
    const unavailable = () => {
      const isFirstAttempt = page.dataset.unreachable === undefined
      page.dataset.unreachable = ''
      document.querySelector('#unreachable a')?.setAttribute('href', url)
      if (isFirstAttempt) document.querySelector('#unreachable')?.scrollIntoView({ block: 'center' })
      retryTimer = setTimeout(follow, retryIntervalMs, url)
    }
    // A proxy in front of a stopped shop responds with 502, 503 or 504.
    fetch(url, { method: 'HEAD' }).then(
      ({ status }) => (status > 500 ? unavailable() : open(url)),
      unavailable,
    )
  }
  const toResource = (url: string) => url.split('#')[0]
  const loaded = toResource(location.href)
  addEventListener('popstate', () => {
    if (page.dataset.start !== 'done' && toResource(location.href) !== loaded) follow(location.href)
  })
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const opensElsewhere =
      event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (!link || event.defaultPrevented || opensElsewhere || link.target || link.download) return
    const isWithinPage = link.hash !== '' && toResource(link.href) === toResource(location.href)
    const isRouted = page.dataset.start === 'done' && 'navigation' in window
    if (link.origin !== location.origin || isWithinPage || isRouted) return
    event.preventDefault()
    follow(link.href)
  })
}

/** Inline script of the document head. It runs before all other scripts. */
export const hydrationWatchdog = `(${String(watchHydration)})(${loadTimeoutMs})`
