import { LRUCache } from 'lru-cache'
import type * as WebApp from '../../web/entry.server.tsx'

const maxRememberedCharacters = 4_000_000

/** Remembers the cache key of each URL: computing it takes longer than a cache hit. */
export const createKeyMemory = () =>
  new LRUCache<string, string>({
    maxSize: maxRememberedCharacters,
    sizeCalculation: (key, url) => key.length + url.length + 100,
  })

/**
 * Returns a function from a page URL to its cache key: the path and the sorted parameters in the page's `handle`.
 * Unknown parameters are dropped, so that they cannot fill the cache with copies.
 */
export function createPageKeys({ findHandle }: Pick<typeof WebApp, 'findHandle'>): (url: string) => string {
  const remembered = createKeyMemory()
  return (url) => {
    if (!url.includes('?')) return url
    const known = remembered.get(url)
    if (known !== undefined) return known
    const key = toKey(url, url.indexOf('?'))
    remembered.set(url, key)
    return key
  }

  function toKey(url: string, queryStart: number): string {
    const path = url.slice(0, queryStart)
    const names = new Set(findHandle(path)?.parameters)
    const parameters = [...new URLSearchParams(url.slice(queryStart))].filter(([name]) => names.has(name))
    return buildKey(path, parameters)
  }
}

export function buildKey(path: string, parameters: [name: string, value: string][]): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return sorted.size > 0 ? `${path}?${sorted}` : path
}
