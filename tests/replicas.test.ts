import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AccessTokens, createAccessTokens } from '../server/modules/identity/access-token.ts'
import { createDatabase, type OpenDatabase } from '../server/platform/database/database.ts'
import { type Caller, toCaller } from './call.ts'
import { openTestDatabase } from './database.ts'
import { anAdmin, aProduct, readProductEtag, type TestCustomer } from './factories.ts'
import { freePort } from './free-port.ts'
import { cleanup } from './hardening/cleanup.ts'
import {
  openReplicatedPostgres,
  type ReplicatedPostgres,
  type Standby,
} from './hardening/replicated-postgres.ts'
import { openTcpProxy, type TcpProxy } from './proxy.ts'
import { openShopProcesses, type ShopProcess, testSecret } from './shop-process.ts'

const withinTime = { timeout: 60_000, interval: 20 }

let postgres: ReplicatedPostgres
let standby: Standby
/** A host name with two addresses: the standby and the primary in turn. */
let balanced: TcpProxy
/** In front of the standby. */
let link: TcpProxy
let otherCluster: string
let process: ShopProcess
let shop: Caller
let metricsPort: number
let database: OpenDatabase
let records: { db: OpenDatabase['db']; accessTokens: AccessTokens }
let admin: TestCustomer
let productId: string

beforeAll(async () => {
  postgres = await openReplicatedPostgres()
  standby = await postgres.addStandby()
  balanced = await openTcpProxy(standby.url, postgres.url)
  cleanup.add(balanced.close)
  link = await openTcpProxy(standby.url)
  cleanup.add(link.close)
  const other = await openTestDatabase()
  cleanup.add(other.close)
  otherCluster = other.url
  const shops = openShopProcesses()
  cleanup.add(shops.remove)
  metricsPort = await freePort()
  process = await shops.open({
    DATABASE_URL: postgres.url,
    DATABASE_REPLICA_URLS: [link.url, balanced.url, postgres.url, otherCluster].join(),
    METRICS_PORT: String(metricsPort),
    CACHE_SECONDS: '0',
    DEMO: '0',
    LOG_LEVEL: 'warn',
  })
  shop = toCaller(process.origin)
  database = createDatabase(postgres.url, { poolSize: 2 })
  cleanup.add(database.close)
  records = {
    db: database.db,
    accessTokens: createAccessTokens({ secrets: [testSecret], ttlSeconds: 600 }),
  }
  admin = await anAdmin(records)
  productId = await aProduct(database, { price: 40 })
})
afterAll(() => cleanup.close())

/** Returns the value of a series; 0 if there is none. */
async function read(series: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

const readSources = async () => ({
  replica: await read('shop_public_reads_total{source="replica"}'),
  primary: await read('shop_public_reads_total{source="primary"}'),
})
const isUsable = async (url: string) =>
  (await read(`shop_replica_usable{replica="${new URL(url).host}"}`)) === 1
const untilUsable = () => vi.waitUntil(() => isUsable(link.url), withinTime)

async function readPrice(as?: TestCustomer): Promise<number> {
  const { status, body } = await shop.call('getProduct', { params: { id: productId }, ...(as && { as }) })
  expect(status).toBe(200)
  return body.price
}

async function changePrice(price: number) {
  const body = {
    name: 'Brake pads',
    image: '/pictures/brake-pads.svg',
    price,
    minimum: 1,
    description: 'New.',
  }
  const response = await shop.call('editProduct', {
    params: { id: productId },
    headers: { 'if-match': await readProductEtag(shop, admin, productId) },
    as: admin,
    body,
  })
  expect(response.status).toBe(200)
  return response
}

test('an address of several servers, the primary and another cluster are not used', async () => {
  // The pool of the address opens its connections at the first reads.
  await vi.waitUntil(async () => {
    await Promise.all(Array.from({ length: 4 }, () => readPrice()))
    return process.child.printed().includes('its address leads to several servers')
  }, withinTime)
  for (const url of [balanced.url, postgres.url, otherCluster]) expect(await isUsable(url)).toBe(false)
  const printed = process.child.printed()
  expect(printed).toContain(
    `${new URL(balanced.url).host} is not used (its address leads to several servers)`,
  )
  expect(printed).toContain(`${new URL(postgres.url).host} is not used (it is not a standby)`)
  expect(printed).toContain(`${new URL(otherCluster).host} is not used (it belongs to another cluster)`)
  expect(printed).not.toContain(new URL(standby.url).password)
})

test('pages and cached calls are read on the replica, but not with a token or after a change', async () => {
  const paths = ['/', '/products', `/api/product/${productId}`, '/api/products']
  const visitAll = async (init: RequestInit = {}) => {
    for (const path of paths) expect((await fetch(process.origin + path, init)).status).toBe(200)
  }
  // A busy machine may delay a heartbeat. The primary serves the visitors then.
  const after = await vi.waitFor(async () => {
    const { replica, primary } = await readSources()
    await visitAll()
    const sources = await readSources()
    expect(sources).toEqual({ replica: replica + paths.length, primary })
    return sources
  }, withinTime)

  await readPrice(admin)
  await visitAll({ headers: { cookie: 'recent-change=1' } })
  for (const path of ['/sitemap.xml', '/feeds/products.xml'])
    expect((await fetch(process.origin + path)).status).toBe(200)
  expect(await readSources()).toEqual(after)
})

test('a replica that does not replay changes is not used until it has caught up', async () => {
  const lag = () => read(`shop_replica_lag_seconds{replica="${new URL(link.url).host}"}`)
  await untilUsable()
  const thaw = await standby.freezeReplay()
  await changePrice(50)
  const changedAt = performance.now()
  expect(await readPrice(admin)).toBe(50)
  const isTooOld = async () => performance.now() - changedAt > 1_000 && (await lag()) > 1
  await vi.waitUntil(isTooOld, withinTime)
  for (let count = 0; count < 5; count++) expect(await readPrice()).toBe(50)

  thaw()
  await vi.waitFor(async () => expect(await lag()).toBeLessThan(1), withinTime)
  await vi.waitFor(async () => {
    const before = await readSources()
    expect(await readPrice()).toBe(50)
    expect(await readSources()).toEqual({ ...before, replica: before.replica + 1 })
  }, withinTime)
})

test('a change is visible to its author for longer than a visitor may see old data', async () => {
  const { headers } = await changePrice(60)
  expect(headers.get('set-cookie')).toMatch(/^recent-change=1;.* Max-Age=2;/)
})

test('when the replica is silent or refuses connections, no request fails', async () => {
  const visiting = new AbortController()
  const counts = Array.from({ length: 8 }, () => 0)
  const visitors = Promise.all(
    counts.map(async (_, visitor) => {
      while (!visiting.signal.aborted) {
        expect((await fetch(`${process.origin}/products`)).status).toBe(200)
        counts[visitor] = (counts[visitor] ?? 0) + 1
      }
    }),
  )
  const untilReadOnReplica = async () => {
    const { replica } = await readSources()
    await vi.waitUntil(async () => (await readSources()).replica > replica + 50, withinTime)
  }
  /** Waits until all visitors have got more pages: none waits for the replica. */
  const untilAllServed = async () => {
    await vi.waitUntil(async () => !(await isUsable(link.url)), withinTime)
    const before = [...counts]
    await vi.waitUntil(() => counts.every((count, visitor) => count > (before[visitor] ?? 0) + 2), withinTime)
  }
  await untilReadOnReplica()
  link.freeze()
  await untilAllServed()
  link.thaw()
  await untilReadOnReplica()
  await link.close()
  await untilAllServed()
  visiting.abort()
  await visitors
  await link.reopen()
})

test('after a failover, a replica with changes that the new primary does not have is not used', async () => {
  const rename = (name: string, bytes: number) =>
    database.pool.query(`
      begin;
      set local synchronous_commit = local;
      update products set name = '${name}' where id = '${productId}';
      select pg_logical_emit_message(true, 'test', repeat('x', ${bytes}));
      commit`)
  const readName = async () => (await shop.call('getProduct', { params: { id: productId } })).body.name
  await untilUsable()
  await rename('Kept', 0)
  await postgres.addStandby()
  postgres.silenceStandby()
  await rename('Lost', 100_000)
  await vi.waitFor(async () => expect(await readName()).toBe('Lost'), withinTime)

  await postgres.failOver()
  await vi.waitFor(() => rename('Kept', 0), withinTime)
  await vi.waitFor(async () => expect(await readName()).toBe('Kept'), withinTime)
  // The new primary writes until its position is after the replica's.
  const began = performance.now()
  await vi.waitUntil(async () => {
    await rename('Kept', 5_000)
    expect(await readName()).toBe('Kept')
    return performance.now() - began > 3_000
  }, withinTime)
  expect(await isUsable(link.url)).toBe(false)
})
