import { loadRouteModules } from './route-modules.ts'
import { matchRoute } from './routes.ts'

/**
 * Loads the code of a page when the user points at a link or focuses it. Ignores errors: the navigation handles them.
 * Does not prefetch data, which could be stale at the time of the click.
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
