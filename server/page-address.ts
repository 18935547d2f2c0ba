import { LRUCache } from 'lru-cache'
import type * as WebApp from '../web/entry.server.tsx'

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
 * The path with those parameters that the page names in its `handle`, in one order. Whoever adds others gets the same page,
 * and nobody can fill the memory with copies of it.
 */
export function pageAddresses({ handleOf }: Pick<typeof WebApp, 'handleOf'>): PageAddresses {
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
    const known = new Set(handleOf(path)?.parameters)
    const parameters = new URLSearchParams()
    for (const [name, value] of new URLSearchParams(url.slice(at))) {
      if (known.has(name)) parameters.append(name, value)
    }
    parameters.sort()
    return parameters.size > 0 ? `${path}?${parameters}` : path
  }
}
