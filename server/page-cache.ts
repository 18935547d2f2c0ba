import { LRUCache } from 'lru-cache'
import type { ReadyPage } from './page-reply.ts'
import type { Changes } from './platform/changes.ts'
import { createTurnstile } from './platform/turnstile.ts'

/** Names what a page shows, before or after it is read: as long as none of it changes, the page stays as it is. */
export type Shows = (...tags: string[]) => void

/** How an answer came about: kept and as it should be, rendered, or kept and perhaps overtaken. */
export type PageState = 'hit' | 'miss' | 'stale'

export interface PageAnswer {
  page: ReadyPage
  state: PageState
}

export interface PageCacheOptions {
  changes: Changes
  render: (address: string, shows: Shows) => Promise<ReadyPage>
  /** Whether it is known that nothing can be read at present. */
  isAway: () => boolean
  /** What is answered where too many pages wait to be rendered. */
  unavailable: ReadyPage
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
  answer(address: string): Promise<PageAnswer>
}

/** Renders each page once for each change of what it shows. */
export function openPageCache(options: PageCacheOptions): PageCache {
  const { changes, isAway, bytes } = options
  const render = inTurn(options)

  const kept = new LRUCache<string, KeptPage>({
    maxSize: bytes,
    sizeCalculation: ({ page }, address) => sizeOf(page, address),
  })
  const underWay = new Map<string, Promise<KeptPage>>()

  const isOvertaken = ({ asOf, tags }: KeptPage) => changes.since(asOf, tags)

  function begin(address: string): Promise<KeptPage> {
    const rendering = renderNow(address).finally(() => underWay.delete(address))
    underWay.set(address, rendering)
    return rendering
  }

  async function renderNow(address: string): Promise<KeptPage> {
    const asOf = changes.moment()
    const tags = new Set<string>()
    const page = await render(address, (...more) => {
      for (const tag of more) tags.add(tag)
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

    async answer(address) {
      const last = isAway() ? kept.get(address) : undefined
      if (last) return { page: last.page, state: 'stale' }
      const askedAt = changes.moment()
      for (;;) {
        const made = await (underWay.get(address) ?? begin(address))
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

/** Some at once, which wait for the database and for one another; each holds what it renders in memory. */
const atOnce = 16
/** So many more wait some hundred milliseconds; those beyond would wait longer than they are worth. */
const waiting = 128

function inTurn({ render, unavailable }: PageCacheOptions): PageCacheOptions['render'] {
  const full = new Error('too many pages wait to be rendered')
  const pass = createTurnstile({ atOnce, waiting, refuse: () => full })
  return (address, shows) =>
    pass(() => render(address, shows)).catch((error: unknown) => {
      if (error === full) return unavailable
      throw error
    })
}

/** Compressed too it is kept, each way in less than half of the page. */
function sizeOf({ body, headers }: ReadyPage, address: string): number {
  return 2 * body.length + 2 * address.length + 2 * (headers['content-security-policy']?.length ?? 0) + 1_000
}
