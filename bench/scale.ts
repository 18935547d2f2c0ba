import { readFileSync } from 'node:fs'
import * as catalog from '../server/modules/catalog/service.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { fill, openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { atMost, type Measure, quantile } from './measure.ts'
import { productQueries } from './queries.ts'

const [few, many] = [10_000, 1_000_000]
const connections = 2
const [warmUpSeconds, seconds] = [3, 15]
const maxRequests = 40_000

const searches = [
  { what: 'product list page', path: '/products' },
  { what: 'GET /api/products', path: '/api/products' },
  { what: 'counts of the filters', path: '/api/v1/products/facets' },
]

interface Figures {
  /** Response times in milliseconds, for each search. */
  latencies: number[][]
  /** Memory of the shop afterwards, in MiB. */
  memory: number
}

/** Search times and memory of the shop with a hundred times as many products. */
export const scale: Measure = {
  name: 'scale',
  async run(print) {
    const shop = await openCatalog(few, print)
    const before = await search(shop, 1, print)
    await fill(shop, many, print)
    const after = await search(shop, 2, print)
    const compare = (what: string, latencies: (figures: Figures) => number[] | undefined) =>
      atMost(3, {
        what: `${what} at 1,000,000 products, 95th percentile`,
        unit: 'ms',
        ours: quantile(latencies(after) ?? [], 0.95),
        limit: quantile(latencies(before) ?? [], 0.95),
      })
    return [
      compare('search and filters', ({ latencies }) => latencies.flat()),
      ...searches.map(({ what }, index) => compare(`– ${what}`, ({ latencies }) => latencies[index])),
      atMost(1.3, {
        what: 'memory of the shop at 1,000,000 products',
        unit: 'MiB',
        ours: after.memory,
        limit: before.memory,
      }),
    ]
  },
}

/** Runs the same mix at both sizes without repeated queries. Each path is warmed up first. */
async function search(
  shop: ShopUnderTest,
  seed: number,
  print: (progress: string) => void,
): Promise<Figures> {
  const { facets } = await catalog.countFacets(shop.db, {})
  const [kinds = [], brands = []] = [facets.kind, facets.brand].map(({ values }) =>
    values.map(({ value }) => value).toSorted(),
  )
  const { origin, child } = shop.processes[0]
  const latencies: number[][] = []
  for (const [index, { what, path }] of searches.entries()) {
    const queries = productQueries(maxRequests, seed * 10 + index, kinds, brands)
    let sent = 0
    const request = () => {
      const query = queries[sent++]
      if (query === undefined)
        throw new Error(`more than ${maxRequests} requests were sent, so queries would repeat`)
      return { method: 'GET' as const, path: `${path}?${query}` }
    }
    print(`searching: ${what}`)
    await load({ origin, connections, seconds: warmUpSeconds, request })
    latencies.push((await load({ origin, connections, seconds, request })).latencies)
  }
  return { latencies, memory: readMemory(child.pid) }
}

/** Returns the resident memory of a process in MiB. Linux only, because it reads /proc. */
function readMemory(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}
