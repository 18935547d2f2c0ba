import { LRUCache } from 'lru-cache'

const maxRememberedCharacters = 4_000_000

/**
 * Returns a function from a URL to its cache key: the path and the parameters that the response depends on,
 * sorted. Others are dropped, so that they cannot fill the cache with copies.
 */
export function createCacheKeys(
  findParameters: (path: string) => readonly string[] | undefined,
): (url: string) => string {
  // To compute a key takes longer than a cache hit.
  const keys = new LRUCache<string, string>({
    maxSize: maxRememberedCharacters,
    sizeCalculation: (key, url) => key.length + url.length + 100,
    memoMethod(url) {
      const queryStart = url.indexOf('?')
      const path = url.slice(0, queryStart)
      const names = findParameters(path) ?? []
      const parameters = [...new URLSearchParams(url.slice(queryStart))]
        .filter(([name]) => names.includes(name))
        .map((pair) => new URLSearchParams([pair]).toString())
      return parameters.length > 0 ? `${path}?${parameters.toSorted().join('&')}` : path
    },
  })
  return (url) => (url.includes('?') ? keys.memo(url) : url)
}
