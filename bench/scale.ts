import { readFileSync } from 'node:fs'
import * as catalog from '../server/modules/catalog/service.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { fill, openCatalogue } from './catalogue-under-test.ts'
import { type LoadResult, load, p95 } from './load.ts'
import { atMost, type Measure } from './measure.ts'
import { productQueries } from './queries.ts'

const [few, many] = [10_000, 1_000_000]
const connections = 2
const seconds = 20

/** A hundred times as many products: what searching them takes, and what the shop takes to remember. */
export const scale: Measure = {
  name: 'scale',
  async run(say) {
    const shop = await openCatalogue(few, say)
    const before = await search(shop, 1, say)
    await fill(shop, many, say)
    const after = await search(shop, 2, say)
    return [
      atMost(3, {
        what: 'search and filters at 1,000,000 products, 95th percentile',
        unit: 'ms',
        ours: after.p95,
        limit: before.p95,
      }),
      atMost(1.3, {
        what: 'memory of the shop at 1,000,000 products',
        unit: 'MiB',
        ours: after.memory,
        limit: before.memory,
      }),
    ]
  },
}

async function search(shop: ShopUnderTest, seed: number, say: (progress: string) => void) {
  const { facets } = await catalog.countFacets(shop.db, {})
  const [kinds, brands] = [facets.kind, facets.brand].map(({ values }) => values.map(({ value }) => value))
  const queries = productQueries(20_000, seed, kinds ?? [], brands ?? [])
  const { origin, child } = shop.processes[0]
  say('searching')
  const paths = ['/api/products', '/api/v1/products/facets', '/products']
  const result: LoadResult = await load({
    origin,
    connections,
    seconds,
    request: (count) => ({
      method: 'GET',
      path: `${paths[count % paths.length]}?${queries[count % queries.length]}`,
    }),
  })
  return { p95: p95(result), memory: memoryOf(child.pid) }
}

/** MiB that a process holds now; from /proc, so on Linux. */
function memoryOf(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}
