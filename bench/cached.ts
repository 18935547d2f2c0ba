import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { saveFitments } from '../server/modules/fitment/service.ts'
import { type Child, startChild } from '../tests/child.ts'
import { aBike, aProduct } from '../tests/factories.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import { openProcess, type Process, type ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import { median } from '../tests/quantiles.ts'
import type { BareResponse } from './bare-server.ts'
import { openBrand } from './brand.ts'
import { openCatalog } from './catalog-under-test.ts'
import { readCpuMs } from './cpu.ts'
import { type LoadRequest, load } from './load.ts'
import { alternate, atLeast, atMost, type Measure, type Row } from './measure.ts'

const rounds = 3
const seconds = 5
const secret = 'the same secret in both processes of the benchmark'

/** Default settings of a shop in production. */
const production = { NODE_ENV: 'production', PAYMENTS: 'sandbox', LOG_LEVEL: 'info', SHOP_SECRET: secret }

/**
 * Cached pages and API responses of a process in production, against a bare server with the same bytes: responses per
 * second, which the client limits, and the CPU time of the server for each.
 */
export const cached: Measure = {
  name: 'cached',
  async run(print) {
    const shop = await openCatalog(100_000, print, { SHOP_SECRET: secret })
    const server = await openProcess({ ...production, DATABASE_URL: shop.databaseUrl })
    const kind = await pickKind(shop.db)
    const query = `kind=${encodeURIComponent(kind)}`
    return [
      await compare('product list page, seen before', server, `/products?${query}`, print),
      await compare('GET /api/products, seen before', server, `/api/products?${query}&pageSize=24`, print),
      await compare('GET /api/v1/fitment, seen before', server, await addFit(shop), print),
      await compareBrand(shop, server, `/products?${query}`, print),
    ].flat()
  },
}

const brandRounds = 6

/** Compares a page with the saved brand and footer of a shop with the same page without. */
async function compareBrand(
  shop: ShopUnderTest,
  server: Process,
  url: string,
  print: (progress: string) => void,
): Promise<Row> {
  const brand = await openBrand(shop, server)
  const request = (): LoadRequest => ({ path: url, method: 'GET', headers: { 'accept-encoding': 'br' } })
  const measureAfter = async (set: (path: string) => Promise<void>) => {
    await set(url)
    return (await load({ origin: server.origin, connections: 16, seconds, request })).perSecond
  }
  const rates = await alternate(
    () => measureAfter(brand.save),
    () => measureAfter(brand.reset),
    'brand and footer',
    print,
    brandRounds,
  )
  const what = 'product list page, seen before, with a saved brand and footer against without'
  return atLeast(0.97, { what, unit: '/s', ...rates })
}

/** Adds a product that fits a bike. Returns the path of the answer. */
async function addFit(shop: ShopUnderTest): Promise<string> {
  const [product, bike] = [await aProduct(shop), await aBike(shop)]
  const fitments = [
    { make: 'hayashi', model: 'k6', yearFrom: 2010, yearTo: 2014, position: 'front', pieces: 2 },
  ]
  await saveFitments(shop.db, product, { fitKind: 'vehicle', complete: false, fitments }, null)
  return `/api/v1/fitment?product=${product}&bike=${bike}`
}

async function pickKind(db: Awaited<ReturnType<typeof openCatalog>>['db']): Promise<string> {
  const { kind } = await db
    .selectFrom('products')
    .select('kind')
    .where('kind', 'is not', null)
    .executeTakeFirstOrThrow()
  return kind ?? ''
}

interface Server {
  origin: string
  child: Pick<Child, 'pid'>
}

async function compare(
  what: string,
  shop: Server,
  url: string,
  print: (progress: string) => void,
): Promise<Row[]> {
  const loadRequest: LoadRequest = { path: url, method: 'GET', headers: { 'accept-encoding': 'br' } }
  const bare = await openBareServer(await fetchResponse(shop.origin + url))
  /** Returns responses per second, and microseconds of CPU time for each. */
  const measure = async ({ origin, child }: Server) => {
    const before = readCpuMs(child.pid)
    const { perSecond } = await load({ origin, connections: 16, seconds, request: () => loadRequest })
    return { perSecond, cpu: ((readCpuMs(child.pid) - before) * 1000) / (perSecond * seconds) }
  }
  const ours: Awaited<ReturnType<typeof measure>>[] = []
  const limit: typeof ours = []
  // Alternate, so that a slower machine affects both.
  for (let round = 0; round <= rounds; round++) {
    print(`${what}: round ${round} of ${rounds}`)
    const both = { ours: await measure(shop), limit: await measure(bare) }
    if (round === 0) continue // The first round warms up.
    ours.push(both.ours)
    limit.push(both.limit)
  }
  const compared = (name: 'perSecond' | 'cpu') => ({
    ours: median(ours.map((each) => each[name])),
    limit: median(limit.map((each) => each[name])),
  })
  return [
    atLeast(0.8, { what, unit: '/s', ...compared('perSecond') }),
    atMost(1.25, { what: `– CPU time`, unit: 'µs', ...compared('cpu') }),
  ]
}

/** Returns the compressed response; `fetch` would decompress it. */
async function fetchResponse(url: string): Promise<BareResponse> {
  const sent = request(url, { headers: { 'accept-encoding': 'br' } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  const { connection: _connection, 'keep-alive': _alive, date: _date, ...headers } = response.headers
  return { headers: headers as Record<string, string>, body: body.toString('base64') }
}

async function openBareServer(response: BareResponse): Promise<Server> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bare-server-'))
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'response.json')
  writeFileSync(file, JSON.stringify(response))
  const child = startChild(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts'), file])
  cleanup.add(child.kill)
  return { origin: await child.line(/^http:/), child }
}
