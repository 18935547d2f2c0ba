import { loadRouteModules } from './route-modules.ts'
import { matchRoute } from './routes.ts'

/**
 * Fetches the parts of a page as soon as someone points at a link to it, or reaches it by the keyboard. What is missing is
 * missed in silence. The data are not fetched ahead, since they would be old by the time of the click.
 */
export function prefetchOnIntent(): void {
  for (const name of ['pointerover', 'focusin', 'touchstart'] as const) {
    document.addEventListener(name, prefetch, { passive: true })
  }
}

function prefetch({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== window.location.origin) return
  const { route } = matchRoute(link.pathname) ?? {}
  if (route) loadRouteModules(route.modules).catch(() => undefined)
}
