import { LRUCache } from 'lru-cache'
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import type { PageHandle } from '../web/context.ts'

/** React Router's own: which routes' data its client wants. */
const wantedRoutes = '_routes'

/** In characters. */
const mostRemembered = 4_000_000

/** Remembers which address a URL comes to: to find that out takes longer than to answer with what is kept. */
export const addressMemory = () =>
  new LRUCache<string, string>({
    maxSize: mostRemembered,
    sizeCalculation: (address, url) => address.length + url.length + 100,
  })

/** Finds the address of the page that a URL asks for. */
export type PageAddresses = (url: string) => string

/**
 * The path with those parameters that the page's routes name in their `handle`, in one order. Whoever adds others gets
 * the same page, and nobody can fill the memory with copies of it.
 */
export function pageAddresses({ routes }: Pick<ServerBuild, 'routes'>): PageAddresses {
  const tree = routesBelow(routes)
  const known = addressMemory()
  return (url) => {
    if (!url.includes('?')) return url
    const found = known.get(url)
    if (found !== undefined) return found
    const address = canonical(url, url.indexOf('?'))
    known.set(url, address)
    return address
  }

  function canonical(url: string, at: number): string {
    const path = url.slice(0, at)
    const matches = matchRoutes(tree, path.replace(/(_)?\.data$/, '')) ?? []
    const ids = new Set(matches.flatMap(({ route }) => route.id ?? []))
    const known = new Set(matches.flatMap(({ route }) => (route.handle as PageHandle)?.parameters ?? []))
    const parameters = new URLSearchParams()
    for (const [name, value] of new URLSearchParams(url.slice(at))) {
      if (known.has(name)) parameters.append(name, value)
      else if (name === wantedRoutes && path.endsWith('.data')) parameters.set(name, only(ids, value))
    }
    parameters.sort()
    return parameters.size > 0 ? `${path}?${parameters}` : path
  }
}

function only(ids: Set<string>, wanted: string): string {
  const asked = new Set(wanted.split(','))
  return [...ids].filter((id) => asked.has(id)).join(',')
}

function routesBelow(routes: ServerBuild['routes'], parent?: string): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route !== undefined)
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path, index, module }) => ({
      id,
      path,
      handle: module.handle,
      ...(index ? { index } : { children: routesBelow(routes, id) }),
    }))
}
