import { LRUCache } from 'lru-cache'
import type { ReadyPage } from './page-reply.ts'
import type { Changes, Shows } from './platform/changes.ts'
import { createTurnstile } from './platform/turnstile.ts'

/** How an answer came about: kept and as it should be, rendered, or kept and perhaps overtaken. */
export type PageState = 'hit' | 'miss' | 'stale'

export interface PageAnswer {
  page: ReadyPage
  state: PageState
}

/** How a page is made anew. */
export interface PageSource {
  /** Where nothing can be read, a page with status 503. */
  render: (shows: Shows) => Promise<ReadyPage>
  /** What is answered where too many pages wait to be rendered. */
  unavailable: ReadyPage
}

export interface PageCacheOptions {
  changes: Changes
  /** Whether it is known that nothing can be read at present. */
  isAway: () => boolean
  /** The most memory that all pages together may take. */
  bytes: number
}

interface KeptPage {
  page: ReadyPage
  tags: Set<string>
  /** The moment before the first of it was read. */
  asOf: number
}

export interface PageCache {
  /** The page as it must be now, if it is kept. */
  find(address: string): ReadyPage | undefined
  /** The page as it must be now; where the database is away, as it was last. */
  answer(address: string, source: PageSource): Promise<PageAnswer>
}

/** Some at once, which wait for the database and for one another; each holds what it renders in memory. */
const atOnce = 16
/** So many more wait some hundred milliseconds; those beyond would wait longer than they are worth. */
const waiting = 128

/** Renders each page once for each change of what it shows: what people see, and what calls answer to everybody alike. */
export function openPageCache({ changes, isAway, bytes }: PageCacheOptions): PageCache {
  const full = new Error('too many pages wait to be rendered')
  const pass = createTurnstile({ atOnce, waiting, refuse: () => full })

  const kept = new LRUCache<string, KeptPage>({
    maxSize: bytes,
    sizeCalculation: sizeOf,
  })
  const underWay = new Map<string, Promise<KeptPage>>()

  const isOvertaken = ({ asOf, tags }: KeptPage) => changes.since(asOf, tags)

  function begin(address: string, source: PageSource): Promise<KeptPage> {
    const rendering = render(address, source).finally(() => underWay.delete(address))
    underWay.set(address, rendering)
    return rendering
  }

  async function render(address: string, source: PageSource): Promise<KeptPage> {
    const asOf = changes.moment()
    const tags = new Set<string>()
    const shows: Shows = (...more) => {
      for (const tag of more) tags.add(tag)
    }
    const page = await pass(() => source.render(shows)).catch((error: unknown) => {
      if (error === full) return source.unavailable
      kept.delete(address) // What is refused now is not told from memory later.
      throw error
    })
    const made = { page, tags, asOf }
    if (page.status < 400) kept.set(address, made)
    else if (page.status < 500) kept.delete(address)
    return made
  }

  return {
    find(address) {
      const found = kept.get(address)
      return found && !isOvertaken(found) ? found.page : undefined
    },

    async answer(address, source) {
      const last = isAway() ? kept.get(address) : undefined
      if (last) return { page: last.page, state: 'stale' }
      const askedAt = changes.moment()
      for (;;) {
        const made = await (underWay.get(address) ?? begin(address, source))
        if (made.page.status === 503) {
          const last = kept.get(address)
          return last ? { page: last.page, state: 'stale' } : { page: made.page, state: 'miss' }
        }
        // What others had begun before may lack a change that was known when this one asked; the next does not.
        if (made.asOf >= askedAt || !isOvertaken(made)) return { page: made.page, state: 'miss' }
      }
    },
  }
}

/** Compressed too it is kept, each way in less than half of the page. */
function sizeOf({ page: { body, headers }, tags }: KeptPage, address: string): number {
  const policy = headers['content-security-policy'] ?? ''
  return 2 * (body.length + address.length + policy.length) + 100 * tags.size + 1_000
}
