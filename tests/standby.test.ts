import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type AccessTokens, createAccessTokens } from '../server/modules/identity/access-token.ts'
import { insertImport } from '../server/modules/imports/repository.ts'
import { createDatabase, newId, type OpenDatabase } from '../server/platform/database/database.ts'
import { readPassword, SUPERUSER } from '../server/platform/embedded-postgres/cluster.ts'
import { type Caller, toCaller } from './call.ts'
import { makeEmbeddedPostgresFolder } from './embedded-postgres-folder.ts'
import {
  aCheckout,
  aCustomer,
  anAdmin,
  anOrder,
  aProduct,
  type TestCustomer,
  untilDecided,
} from './factories.ts'
import { checkFile, productHeader, productRow } from './product-import.ts'
import { openShopProcesses, testSecret } from './shop-process.ts'

const poolSize = 8
/** Less than the 15 s of the statement timeout, and enough for a busy machine. The check `failover` measures the wait. */
const maxWaitMs = 8_000
const stock = 100

const folder = makeEmbeddedPostgresFolder()
const shops = openShopProcesses()
let database: OpenDatabase
let superuser: Client
let shop: Caller
let origin: string
let records: { db: OpenDatabase['db']; accessTokens: AccessTokens }
let rider: TestCustomer
let productId: string

beforeAll(async () => {
  const postgres = await folder.open()
  const url = new URL(postgres.url)
  Object.assign(url, { username: SUPERUSER, password: readPassword(postgres.folder) })
  superuser = new Client({ connectionString: url.href })
  await superuser.connect()
  await superuser.query('alter database shop set synchronous_commit = on')
  const settings = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL: String(poolSize),
    DEMO: '0',
  }
  ;({ origin } = await shops.open({ ...settings, CACHE_SECONDS: '0', LOG_LEVEL: 'silent' }))
  shop = toCaller(origin)
  database = createDatabase(postgres.url, { poolSize: 2 })
  records = { db: database.db, accessTokens: createAccessTokens({ secrets: [testSecret], ttlSeconds: 600 }) }
})
afterAll(async () => {
  await shops.remove()
  await database.close()
  await superuser.end()
  await folder.remove()
})

beforeEach(async () => {
  rider = await aCustomer(records)
  productId = await aProduct(database, { price: 40, quantity: stock })
})
afterEach(() => requireStandby(''))

/** Commits wait for a standby of this name, which does not exist. An empty name ends their wait. */
async function requireStandby(name: string): Promise<void> {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`)
  await superuser.query('select pg_reload_conf()')
  // The server applies it later.
  if (name) await vi.waitUntil(doCommitsWait, { timeout: 60_000 })
}

async function doCommitsWait(): Promise<boolean> {
  let isOver = false
  let isWaiting = false
  const commit = database.pool
    .query("select pg_logical_emit_message(true, 'test', '')")
    .finally(() => (isOver = true))
  // A commit of the shop may wait before this one does.
  const endWait = async () => {
    if (!isOver && (await listWaiting()).length > 0) {
      isWaiting = true
      await cancelWaiting()
    }
    return isOver
  }
  await vi.waitUntil(endWait, { timeout: 60_000, interval: 5 })
  await commit
  return isWaiting
}

/** Sends an order, and returns its response with the time that it took. */
async function order(key: string, as = rider) {
  const began = performance.now()
  const body = aCheckout([{ variantId: productId, quantity: 1, unitPrice: 40 }])
  const { status, body: reply } = await shop.call('checkOut', {
    as,
    headers: { 'idempotency-key': key },
    body,
  })
  return { status, code: reply.code, id: reply.id, ms: performance.now() - began }
}

/** Returns the process ids of commits that wait for the standby. */
async function listWaiting(): Promise<number[]> {
  const { rows } = await superuser.query<{ pid: number }>(
    "select pid from pg_stat_activity where wait_event = 'SyncRep'",
  )
  return rows.map(({ pid }) => pid)
}

const cancelWaiting = async () =>
  superuser.query('select pg_cancel_backend(pid) from unnest($1::integer[]) as pid', [await listWaiting()])

/** Cancels commits that wait until the response arrives: a background job may commit before the request. */
async function whileCancelled<Response>(request: Promise<Response>): Promise<Response> {
  const responded = new AbortController()
  const response = request.finally(() => responded.abort())
  while (!responded.signal.aborted) await cancelWaiting()
  return response
}

/** Returns the stock of the product and the number of the rider's orders. */
async function readRecords() {
  const orders = await database.db
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', rider.id)
    .execute()
  return {
    stock: (await shop.call('getProduct', { params: { id: productId } })).body.quantity,
    orders: orders.length,
  }
}

test('an order whose wait for a standby is cancelled is 503, and repeated until a standby has it', async () => {
  const key = randomUUID()
  await requireStandby('absent')
  expect(await whileCancelled(order(key))).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
  expect(await readRecords()).toEqual({ stock: stock - 1, orders: 1 })

  expect(await order(key)).toMatchObject({ status: 503, code: 'UNAVAILABLE' })

  await requireStandby('')
  const { status, id } = await order(key)
  expect(status).toBe(200)
  expect(await order(key)).toMatchObject({ status: 200, id })
  expect(await readRecords()).toEqual({ stock: stock - 1, orders: 1 })
})

test('a cancellation whose wait for a standby is cancelled is 503, and repeated until a standby has it', async () => {
  const { id } = await order(randomUUID())
  const cancel = () => shop.call('cancelOrder', { as: rider, params: { id } })
  await requireStandby('absent')
  expect((await whileCancelled(cancel())).status).toBe(503)
  expect((await readRecords()).stock).toBe(stock)

  expect((await cancel()).status).toBe(503)

  await requireStandby('')
  expect((await cancel()).status).toBe(200)
  expect((await readRecords()).stock).toBe(stock)
})

test('while commits wait for a standby, an import whose process has ended is soon 503, and then failed', async () => {
  const admin = await anAdmin(records)
  const id = newId()
  await insertImport(database.db, {
    kind: 'products',
    id,
    file_name: 'products.csv',
    started_by: admin.id,
    state: 'reading',
  })
  await requireStandby('absent')
  const began = performance.now()
  expect((await shop.call('getImport', { as: admin, params: { id } })).status).toBe(503)
  expect(performance.now() - began).toBeLessThan(maxWaitMs)

  await requireStandby('')
  const state = async () => (await shop.call('getImport', { as: admin, params: { id } })).body.state
  await vi.waitUntil(async () => (await state()) === 'failed', { timeout: 60_000, interval: 50 })
})

test('while commits wait for a standby, orders are soon 503 and reading goes on; then all succeed once', async () => {
  const keys = Array.from({ length: 3 * poolSize }, () => randomUUID())
  // Orders of one customer wait for one another only briefly.
  const riders = await Promise.all(keys.map(() => aCustomer(records)))
  const placeAll = () => Promise.all(keys.map((key, index) => order(key, riders[index])))
  const [admin, other] = [await anAdmin(records), await aCustomer(records)]
  const orderId = await anOrder({ ...records, ...shop }, other)
  const { id: importId } = await checkFile(shop, admin, `${productHeader}\n${productRow('C-1')}\n`)
  await requireStandby('absent')
  const responses = await placeAll()
  for (const { status, ms } of responses) {
    expect(status).toBe(503)
    expect(ms).toBeLessThan(maxWaitMs)
  }
  // The connections for writing still wait, and no others were opened.
  const { rows } = await superuser.query<{ running: number }>(
    "select count(*)::integer as running from pg_stat_activity where state = 'active' and query ~ 'with gate as' and pid <> pg_backend_pid()",
  )
  expect(rows[0]?.running).toBeGreaterThan(1)
  expect(rows[0]?.running).toBeLessThanOrEqual(poolSize - poolSize / 4)
  const { status, ms } = await order(randomUUID())
  expect(status).toBe(503)
  // It does not wait for a connection, which would take 1.5 s.
  expect(ms).toBeLessThan(1_400)

  const began = performance.now()
  const reads = [
    shop.call('getUser', { as: rider, query: { email: rider.email } }),
    shop.call('listOrders', { as: rider, query: { email: rider.email } }),
    shop.call('getCart', { as: rider }),
    shop.call('listAddresses', { as: rider }),
    shop.call('countGuestOrders', { as: rider }),
    shop.call('getOrder', { as: other, query: { id: orderId } }),
    shop.call('getOrderDetails', { as: other, params: { id: orderId } }),
    shop.call('listVariants', { as: admin, params: { id: productId } }),
    shop.call('listUsers', { as: admin }),
    shop.call('listRefunds', { as: admin }),
    shop.call('listAudit', { as: admin }),
    shop.call('getImport', { as: admin, params: { id: importId } }),
    shop.call('getProduct', { as: rider, params: { id: productId } }),
    shop.call('listProducts', { query: { q: 'pads' } }),
    shop.call('countProducts'),
    shop.call('listReviews'),
    ...['/products', `/product/${productId}`, '/sitemap.xml', '/feeds/products.xml'].map((path) =>
      fetch(origin + path),
    ),
  ]
  expect((await Promise.all(reads)).map((response) => response.status)).toEqual(reads.map(() => 200))
  expect(performance.now() - began).toBeLessThan(maxWaitMs)

  await requireStandby('')
  await vi.waitUntil(async () => (await order(keys[0] ?? '', riders[0])).status === 200, {
    timeout: 60_000,
    interval: 50,
  })
  // They queue for the stock of one product.
  const repeated = await Promise.all(keys.map((key, index) => untilDecided(() => order(key, riders[index]))))
  expect(repeated.map((response) => response.status)).toEqual(keys.map(() => 200))
  expect(new Set(repeated.map(({ id }) => id)).size).toBe(keys.length)
  expect((await readRecords()).stock).toBe(stock - keys.length)
})
