import { setTimeout as delay } from 'node:timers/promises'
import * as catalog from '../server/modules/catalog/service.ts'
import { residentMemory } from '../tests/hardening/memory.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { quantile } from '../tests/quantiles.ts'
import { fillWithFitments, openEmptyCatalog } from './catalog-under-test.ts'
import { addGeneratedBikes, addPartOfManyBikes } from './generated-fitments.ts'
import { load } from './load.ts'
import { compareManyProducts } from './many-products.ts'
import { atMost, below, type Measure } from './measure.ts'
import { bikeQueries, productQueries, riderQueries } from './queries.ts'
import { readSizes } from './sizes.ts'
import { writeSizes } from './table.ts'

const [few, many] = [10_000, 1_000_000]
const connections = 2
const [warmUpSeconds, seconds] = [3, 15]
const maxRequests = 40_000
const [rounds, cacheMs] = [5, 1_500]

/** With the highest allowed 95th percentile of searches for a bike, in milliseconds. */
const paths = [
  { what: 'product list page', path: '/products', maxMsOfBike: 25 },
  { what: 'GET /api/products', path: '/api/products', maxMsOfBike: 25 },
  { what: 'counts of the filters', path: '/api/v1/products/facets', maxMsOfBike: 15 },
]
const searches: { what: string; path: string; of: 'products' | 'bike' | 'rider'; maxMs?: number }[] = [
  ...paths.map(({ what, path }) => ({ what, path, of: 'products' as const })),
  ...paths.map(({ what, path, maxMsOfBike }) => ({
    what: `${what}, of a bike`,
    path,
    of: 'bike' as const,
    maxMs: maxMsOfBike,
  })),
  // Only the page reads words otherwise than typed.
  {
    what: 'product list page, of synonyms, makes, sizes, unknown words and attributes',
    path: '/products',
    of: 'rider',
  },
]

interface Figures {
  /** Response times in milliseconds, for each search. */
  latencies: number[][]
  /** Memory of the shop afterwards, in MiB. */
  memory: number
}

/**
 * Search times and memory of the shop with a hundred times as many products, which have 30 fitments on average. Then the lists
 * and changes of admins.
 */
export const scale: Measure = {
  name: 'scale',
  async run(print) {
    const shop = await openEmptyCatalog()
    const bikes = await addGeneratedBikes(shop.db)
    await fillWithFitments(shop, few, bikes, print)
    const before = await search(shop, bikes, 1, print)
    await fillWithFitments(shop, many, bikes, print)
    const after = await search(shop, bikes, 2, print)
    writeSizes(await readSizes(shop.db))
    const manyFitments = await requestManyFitments(shop, print)
    const ofAdmins = await compareManyProducts(shop, print)
    const limitMs = (what: string, latencies: number[], maxMs: number) =>
      below(`${what}, 95th percentile`, 'ms', quantile(latencies, 0.95), maxMs)
    const compare = (what: string, latencies: (figures: Figures) => number[] | undefined) =>
      atMost(3, {
        what: `${what} at 1,000,000 products, 95th percentile`,
        unit: 'ms',
        ours: quantile(latencies(after) ?? [], 0.95),
        limit: quantile(latencies(before) ?? [], 0.95),
      })
    return [
      compare('search and filters', ({ latencies }) => latencies.slice(0, paths.length).flat()),
      ...searches.map(({ what }, index) => compare(`– ${what}`, ({ latencies }) => latencies[index])),
      ...searches.flatMap(({ what, maxMs }, index) =>
        maxMs === undefined
          ? []
          : limitMs(`${what} at 1,000,000 products`, after.latencies[index] ?? [], maxMs),
      ),
      atMost(1.3, {
        what: 'memory of the shop at 1,000,000 products',
        unit: 'MiB',
        ours: after.memory,
        limit: before.memory,
      }),
      limitMs('GET /api/v1/fitment of a product with 10,000 fitments', manyFitments, 50),
      ...ofAdmins,
    ]
  },
}

/** Runs the same mix at both sizes without repeated queries. Each path is warmed up first. */
async function search(
  shop: ShopUnderTest,
  bikes: number[],
  seed: number,
  print: (progress: string) => void,
): Promise<Figures> {
  const { facets } = await catalog.countFacets(shop.db, {})
  const [kinds = [], brands = []] = [facets.kind, facets.brand].map(({ values }) =>
    values.map(({ value }) => value).toSorted(),
  )
  const { origin, child } = shop.processes[0]
  const latencies: number[][] = []
  for (const [index, { what, path, of }] of searches.entries()) {
    const seedOfPath = seed * 10 + index
    const queries = {
      products: () => productQueries(maxRequests, seedOfPath, kinds, brands),
      bike: () => bikeQueries(maxRequests, seedOfPath, kinds, bikes),
      rider: () => riderQueries(maxRequests, seedOfPath, brands),
    }[of]()
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
  return { latencies, memory: residentMemory(child.pid) }
}

/** Requests the fit of a part with 10,000 fitments for the bikes of its model, each time after the cache has expired. */
async function requestManyFitments(
  shop: ShopUnderTest,
  print: (progress: string) => void,
): Promise<number[]> {
  print('requesting a product with 10,000 fitments')
  const { product, bikes } = await addPartOfManyBikes(shop)
  const [{ call }] = shop.processes
  const latencies: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const bike of bikes) {
      const began = performance.now()
      const { body } = await call('getFit', { query: { product, bike: String(bike) } })
      latencies.push(performance.now() - began)
      if (body.answer !== 'fits_some') throw new Error(`the answer was ${body.answer}`)
    }
    await delay(cacheMs)
  }
  return latencies
}
