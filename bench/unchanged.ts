import { Pool } from 'pg'
import { cleanup } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { median } from '../tests/quantiles.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { atLeast, type Measure, type Row } from './measure.ts'
import { productQueries } from './queries.ts'
import { filterValues, type ReadQuery, readList, readListPage, recordSql, runSql } from './uncached.ts'

const connections = 16
const rounds = 5
const seconds = 4
/** More URLs than the shop serves in a second, so each is stale at its next request. */
const urlCount = 3_000
/** Enough to cache each URL, and to plan each statement on each connection. */
const warmUpRequests = 15_000

/** Cached responses older than a second, with unchanged data, against only their SQL through `pg`. */
export const unchanged: Measure = {
  name: 'unchanged',
  async run(print) {
    const shop = await openCatalog(100_000, print, { PAGE_CACHE_MB: '2048' })
    return [
      await compare(shop, print, 'product list page, unchanged', '/products', 1, readListPage),
      await compare(shop, print, 'GET /api/products, unchanged', '/api/products', 2, readList),
    ]
  },
}

async function compare(
  shop: ShopUnderTest,
  print: (progress: string) => void,
  what: string,
  path: string,
  seed: number,
  read: ReadQuery,
): Promise<Row> {
  const { kinds, brands } = await filterValues(shop)
  print(`${what}: recording the statements of ${urlCount} URLs`)
  const recorded = await recordSql(shop.databaseUrl, productQueries(urlCount, seed, kinds, brands), read)
  // The options of the shop's own connections.
  const pool = new Pool({ connectionString: shop.databaseUrl, max: connections, options: '-c jit=off' })
  cleanup.add(() => pool.end())
  const { origin } = shop.processes[0]
  const next = { ours: 0, limit: 0 }
  const request = () => ({
    method: 'GET' as const,
    path: `${path}?${recorded[next.ours++ % recorded.length]?.query}`,
    // Like a browser, so that the compressed body is cached.
    headers: { 'accept-encoding': 'gzip, br' },
  })
  const statements = () => recorded[next.limit++ % recorded.length]?.statements ?? []
  const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  print(`${what}: both warm up`)
  while (next.ours < warmUpRequests) await load({ origin, connections, seconds, request })
  while (next.limit < warmUpRequests) await runSql(pool, statements, seconds)
  for (let round = 1; round <= rounds; round++) {
    const { perSecond } = await load({ origin, connections, seconds, request })
    const limit = await runSql(pool, statements, seconds)
    rates.ours.push(perSecond)
    rates.limit.push(limit)
    print(
      `${what}: round ${round} of ${rounds}, ${Math.round(perSecond)} against ${Math.round(limit)} a second`,
    )
  }
  await requireUnchanged(origin + request().path)
  return atLeast(0.7, { what, unit: '/s', ours: median(rates.ours), limit: median(rates.limit) })
}

/** @throws if the next URL is not revalidated with the same data: the run then measured something else */
async function requireUnchanged(url: string): Promise<void> {
  const response = await fetch(url)
  const state = response.headers.get('cache-status')
  if (state !== 'shop; fwd=stale; fwd-status=304') throw new Error(`${url} was ${state}`)
}
