import { useEffect } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'

/** React Router's own list of the parts: where each route's script is, and what it needs of others. */
interface Parts {
  routes: Record<string, { id: string; parentId?: string; path?: string; index?: boolean } & Files>
}
interface Files {
  module: string
  imports?: string[]
  css?: string[]
}

/**
 * Fetches the parts of a page as soon as somebody points at a link to it, or reaches it by the keyboard. What is missing
 * is missed in silence: React Router's own `prefetch` would load the document anew, and with it lose what is typed.
 * The data are not fetched ahead, since they would be old by the time of the click.
 */
export function usePrefetchOnIntent(): void {
  useEffect(() => {
    const events = ['pointerover', 'focusin', 'touchstart'] as const
    for (const name of events) document.addEventListener(name, prefetch, { passive: true })
    return () => {
      for (const name of events) document.removeEventListener(name, prefetch)
    }
  }, [])
}

const fetched = new Set<string>()

function prefetch({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || link.origin !== window.location.origin || fetched.has(link.pathname)) return
  fetched.add(link.pathname)
  for (const file of filesOf(link.pathname)) {
    if (fetched.has(file)) continue
    fetched.add(file)
    const as = file.endsWith('.css') ? 'style' : 'script'
    document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', as, href: file }))
  }
}

function filesOf(path: string): string[] {
  const parts = (window as { __reactRouterManifest?: Parts }).__reactRouterManifest
  if (!parts) return []
  const matches = matchRoutes(routesBelow(parts, undefined), path) ?? []
  return matches.flatMap(({ route }) => {
    const { module, imports = [], css = [] } = parts.routes[route.id ?? ''] ?? { module: '' }
    return [module, ...imports, ...css].filter((file) => !isThere(file))
  })
}

/** What the document has brought. */
const isThere = (file: string) => file === '' || document.querySelector(`link[href="${file}"]`) !== null

function routesBelow({ routes }: Parts, parent: string | undefined): RouteObject[] {
  return Object.values(routes)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: routesBelow({ routes }, id) },
    )
}
