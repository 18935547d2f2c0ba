import { Pool } from 'pg'
import { cleanup } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { openCatalog } from './catalog-under-test.ts'
import { load } from './load.ts'
import { atLeast, type Measure, median, type Row } from './measure.ts'
import { productQueries } from './queries.ts'
import { filterValues, noteStatements, type ReadQuery, readList, readListPage, runAlone } from './uncached.ts'

const connections = 16
const rounds = 3
const seconds = 4
/** More URLs than the shop serves in a second, so each is stale at its next turn. */
const urlCount = 3_000
/** Enough to cache each URL, and to plan each statement on each connection. */
const warmUpRequests = 15_000

/** Cached responses older than a second, with unchanged data, against their SQL through `pg` alone. */
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
  print(`${what}: noting the statements of ${urlCount} URLs`)
  const noted = await noteStatements(shop.databaseUrl, productQueries(urlCount, seed, kinds, brands), read)
  // The options of the shop's own connections.
  const pool = new Pool({ connectionString: shop.databaseUrl, max: connections, options: '-c jit=off' })
  cleanup.add(() => pool.end())
  const { origin } = shop.processes[0]
  const next = { ours: 0, limit: 0 }
  const request = () => ({
    method: 'GET' as const,
    path: `${path}?${noted[next.ours++ % noted.length]?.query}`,
    // As browsers do: the compressed body is cached too.
    headers: { 'accept-encoding': 'gzip, br' },
  })
  const statements = () => noted[next.limit++ % noted.length]?.statements ?? []
  const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  print(`${what}: both warm up`)
  while (next.ours < warmUpRequests) await load({ origin, connections, seconds, request })
  while (next.limit < warmUpRequests) await runAlone(pool, statements, seconds)
  for (let round = 1; round <= rounds; round++) {
    const { perSecond } = await load({ origin, connections, seconds, request })
    const alone = await runAlone(pool, statements, seconds)
    rates.ours.push(perSecond)
    rates.limit.push(alone)
    print(
      `${what}: round ${round} of ${rounds}, ${Math.round(perSecond)} against ${Math.round(alone)} a second`,
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
