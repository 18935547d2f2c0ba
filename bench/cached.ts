import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { saveFitments } from '../server/modules/fitment/service.ts'
import { startChild } from '../tests/child.ts'
import { aBike, aProduct } from '../tests/factories.ts'
import { cleanup } from '../tests/hardening/cleanup.ts'
import type { ShopUnderTest } from '../tests/hardening/shop-under-test.ts'
import type { BareResponse } from './bare-server.ts'
import { openCatalog } from './catalog-under-test.ts'
import { type LoadRequest, load } from './load.ts'
import { atLeast, type Measure, median, type Row } from './measure.ts'

const rounds = 3
const seconds = 5

/** Cached pages and API responses, against a bare server with the same bytes. */
export const cached: Measure = {
  name: 'cached',
  async run(print) {
    const shop = await openCatalog(100_000, print)
    const { origin } = shop.processes[0]
    const kind = await pickKind(shop.db)
    const query = `kind=${encodeURIComponent(kind)}`
    return [
      await compare('product list page, seen before', origin, `/products?${query}`, print),
      await compare('GET /api/products, seen before', origin, `/api/products?${query}&pageSize=24`, print),
      await compare('GET /api/v1/fitment, seen before', origin, await addFit(shop), print),
    ]
  },
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

async function compare(
  what: string,
  origin: string,
  url: string,
  print: (progress: string) => void,
): Promise<Row> {
  const loadRequest: LoadRequest = { path: url, method: 'GET', headers: { 'accept-encoding': 'br' } }
  const bare = await openBareServer(await fetchResponse(origin + url))
  const rates: { ours: number[]; limit: number[] } = { ours: [], limit: [] }
  // Alternate, so that a slower machine affects both.
  for (let round = 0; round <= rounds; round++) {
    print(`${what}: round ${round} of ${rounds}`)
    const ours = await load({ origin, connections: 16, seconds, request: () => loadRequest })
    const limit = await load({ origin: bare, connections: 16, seconds, request: () => loadRequest })
    if (round === 0) continue // The first round warms up.
    rates.ours.push(ours.perSecond)
    rates.limit.push(limit.perSecond)
  }
  return atLeast(0.8, { what, unit: '/s', ours: median(rates.ours), limit: median(rates.limit) })
}

/** Returns the compressed response; `fetch` would decompress it. */
async function fetchResponse(url: string): Promise<BareResponse> {
  const sent = request(url, { headers: { 'accept-encoding': 'br' } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await response.toArray())
  const { connection: _connection, 'keep-alive': _alive, date: _date, ...headers } = response.headers
  return { headers: headers as Record<string, string>, body: body.toString('base64') }
}

async function openBareServer(response: BareResponse): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bare-server-'))
  cleanup.add(async () => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'response.json')
  writeFileSync(file, JSON.stringify(response))
  const server = startChild(process.execPath, [path.join(import.meta.dirname, 'bare-server.ts'), file])
  cleanup.add(server.kill)
  return server.line(/^http:/)
}
