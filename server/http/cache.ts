import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isDatabaseUnavailable, ShopError } from '../platform/errors.ts'
import { createLimiter } from '../platform/limiter.ts'
import { countRefused } from '../platform/telemetry/metrics.ts'
import type { PreparedResponse } from './send-response.ts'

/**
 * Source of a response: reused by age (`hit`), rendered (`miss`), reused because the data are equal (`unchanged`), or
 * reused because the database does not respond (`stale`).
 */
export type CacheState = 'hit' | 'miss' | 'unchanged' | 'stale'

interface CachedResponse {
  response: PreparedResponse
  state: CacheState
}

export interface CacheSource<Data = unknown> {
  /**
   * Runs the queries. The result is compared with the previous one as JSON.
   *
   * @param fresh the data must contain all earlier commits
   */
  read: (fresh: boolean) => Promise<Data>
  /** The key of the response, if it depends on the data. Requests with several keys then share one entry. */
  toKey?: (data: Data) => string
  /** Must be a pure function of the cache key and the data. Status 503 means that reading failed. */
  render: (data: Data) => Promise<PreparedResponse>
  /** The response if the queue is full; an error if omitted. */
  unavailable?: () => PreparedResponse
}

interface Entry {
  response: PreparedResponse
  dataHash: string
  /** Start of the queries, from `performance.now()`. */
  readAt: number
}

/** A request for which an entry was found. */
interface Hit {
  /** The key of the entry. */
  key: string
  /** The route pattern, for metrics. */
  route: string
}

interface Options {
  /** A response is reused for this time without reading its data again. */
  maxAgeMs: number
  /** The data that are read may be this old. */
  maxReadAgeMs: number
  maxBytes: number
  isDatabaseDown: () => boolean
}

export type ResponseCache = ReturnType<typeof openResponseCache>

/** Each load holds its data and its page in memory. */
const concurrency = 16
/** A longer queue would take more than a few hundred milliseconds. */
const maxQueued = 128

const maxHitCharacters = 4_000_000

/** Creates an LRU cache of rendered pages and public API responses, by age and by content hash. */
export function openResponseCache({ maxAgeMs, maxReadAgeMs, maxBytes, isDatabaseDown }: Options) {
  const overflow = new ShopError('UNAVAILABLE')
  const isTemporary = (error: unknown) => error === overflow || isDatabaseUnavailable(error)
  const limited = createLimiter({
    concurrency,
    maxQueued,
    onOverflow() {
      countRefused('renders')
      return overflow
    },
  })
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: measureSize })
  /** The most recent load of each key. */
  const loads = new Map<string, { startedAt: number; result: Promise<CachedResponse> }>()

  const hits = new LRUCache<string, Hit>({
    maxSize: maxHitCharacters,
    sizeCalculation: ({ key, route }, url) => url.length + key.length + route.length + 100,
  })

  const isRecent = (startedAt: number) => performance.now() - startedAt < maxAgeMs

  function startLoad<Data>(key: string, source: CacheSource<Data>, fresh: boolean) {
    const startedAt = performance.now()
    const result = limited(() => loadNow(key, source, startedAt, fresh))
      .catch((error: unknown) => {
        if (error === overflow && source.unavailable) {
          return { response: source.unavailable(), state: 'miss' } as const
        }
        // A response that fails now must not be served as stale later.
        if (!isTemporary(error)) entries.delete(key)
        throw error
      })
      .finally(() => {
        if (loads.get(key) === load) loads.delete(key)
      })
    const load = { startedAt, result }
    loads.set(key, load)
    return load
  }

  async function loadNow<Data>(
    requested: string,
    { read, render, toKey }: CacheSource<Data>,
    startedAt: number,
    fresh: boolean,
  ): Promise<CachedResponse> {
    const data = await read(fresh)
    const key = toKey?.(data) ?? requested
    const dataHash = hash('sha256', JSON.stringify(data), 'base64')
    const last = entries.get(key)
    if (last?.dataHash === dataHash) {
      last.readAt = Math.max(last.readAt, startedAt)
      return { response: last.response, state: 'unchanged' }
    }
    const response = await render(data)
    if (response.status < 400) entries.set(key, { response, dataHash, readAt: startedAt })
    else if (response.status < 500) entries.delete(key)
    return { response, state: 'miss' }
  }

  return {
    maxAgeMs,
    maxReadAgeMs,
    /** By the URL of the request. */
    hits,

    /** Estimated size of all entries in bytes. */
    measureSize: () => entries.calculatedSize,

    /** Returns a response whose data were read at most `maxAgeMs` ago. */
    find(key: string): PreparedResponse | undefined {
      const entry = entries.get(key)
      return entry && isRecent(entry.readAt) ? entry.response : undefined
    },

    /**
     * Reads the data and renders them if they have changed. Concurrent requests share one load.
     *
     * @param fresh the data must contain all commits before this call
     * @throws the error of `read` or `render`, or UNAVAILABLE if the queue is full
     */
    async load<Data>(key: string, source: CacheSource<Data>, fresh: boolean): Promise<CachedResponse> {
      const stale = (): CachedResponse | undefined => {
        const response = entries.get(key)?.response
        return response && { response, state: 'stale' }
      }
      const last = isDatabaseDown() ? stale() : undefined
      if (last) return last
      const current = loads.get(key)
      const { result } =
        current && !fresh && isRecent(current.startedAt) ? current : startLoad(key, source, fresh)
      const loaded = await result.catch((error: unknown) => {
        const known = isTemporary(error) ? stale() : undefined
        if (!known) throw error
        return known
      })
      return (loaded.response.status === 503 && stale()) || loaded
    },
  }
}

/** Counts the body twice: a compressed body takes less than half of it. */
function measureSize({ response: { body, headers } }: Entry, key: string): number {
  const policy = headers['content-security-policy'] ?? ''
  return 2 * (body.length + key.length + policy.length) + 1_000
}
