import { findLeaks, hideProducts } from '../hidden-products.ts'
import type { Check, Size } from './check.ts'
import { openShopUnderTest } from './shop-under-test.ts'

/**
 * More products for sale than are sorted at once: long lists are read by an index (`large-results.ts`).
 * Each list fits on a page of 1,000 products.
 */
const sizes: Record<Size, number> = { small: 520, full: 990 }

/** Half of the catalog is hidden. All public calls, pages, sitemaps, the feed, quotes and purchases are read. */
export const hidden: Check = {
  name: 'hidden',
  isChosenOnly: true,
  async run(size, print) {
    const count = sizes[size]
    const shop = await openShopUnderTest({ settings: { CACHE_SECONDS: '0' } })
    const [first] = shop.processes
    const at = { db: shop.db, accessTokens: shop.accessTokens, call: first.call }
    const world = await hideProducts(at, count)
    print(`hid ${count} of ${2 * count + 1} products`)
    const leaks = await findLeaks(at, first, world)
    return {
      figures: [
        { what: 'hidden products, responses that depend on them', measured: `${count}, ${leaks.length}` },
      ],
      violations: leaks,
    }
  },
}
