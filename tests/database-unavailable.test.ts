import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { aBike, aProduct } from './factories.ts'
import { freePort } from './free-port.ts'
import { openTcpProxy, type TcpProxy } from './proxy.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess } from './shop-process.ts'

/** The maximum wait for a response with status 503 on a busy machine. The hardening has a bound of 2 s. */
const maxWaitMs = 8_000
const polling = { timeout: 60_000, interval: 50 }
const maxRequests = 16

const processes = openShopProcesses()
let other: TestShop
let proxy: TcpProxy
let shop: ShopProcess
let metricsPort: string

beforeAll(async () => {
  other = await openOwnShop()
  await aProduct(other, { name: 'Left-hand lever' })
  await aBike(other)
  const name = { name: 'shop', value: JSON.stringify({ name: 'Held Out Motos' }) }
  await other.db.insertInto('shop_settings').values(name).execute()
  proxy = await openTcpProxy(other.database.url)
  metricsPort = String(await freePort())
  shop = await processes.open({
    DATABASE_URL: proxy.url,
    DEMO: '0',
    MAX_REQUESTS: String(maxRequests),
    METRICS_PORT: metricsPort,
  })
})
afterAll(async () => {
  await processes.remove()
  await proxy.close()
  await other.close()
})
afterEach(async () => {
  proxy.thaw()
  await proxy.reopen()
  await vi.waitUntil(async () => (await ask('/readyz')).status === 200, polling)
})

async function ask(path: string, init: RequestInit = {}) {
  const began = performance.now()
  const { status, headers, ...response } = await fetch(shop.origin + path, init).then(async (reply) => ({
    status: reply.status,
    headers: reply.headers,
    text: await reply.text(),
  }))
  return { status, headers, text: response.text, ms: performance.now() - began }
}

const signIn = () => {
  const body = JSON.stringify({ email: 'rider@example.com', password: 'password' })
  return ask('/idp/sign-in/email', {
    method: 'POST',
    headers: { origin: shop.origin, 'content-type': 'application/json' },
    body,
  })
}

/** Requests a page until it is cached. */
async function fillCache(path: string): Promise<void> {
  await vi.waitUntil(async () => (await ask(path)).headers.get('cache-status') === 'shop; hit', polling)
}

test.each([
  ['freezes', '/reviews', async () => proxy.freeze(), async () => proxy.thaw()],
  ['is stopped', '/', () => proxy.close(), () => proxy.reopen()],
])(
  'the database %s: cached pages and calls are served as stale, other requests are soon 503, and all recovers',
  async (_, uncached, disconnect, reconnect) => {
    await fillCache('/products')
    await fillCache('/api/products')
    await disconnect()
    const call = `/api/products?q=${uncached.length}`
    const [withoutData, ...refused] = await Promise.all([
      ask(uncached === '/' ? '/login' : '/contact-us'),
      ask(uncached),
      ask(`${uncached === '/' ? '/_' : uncached}.data`),
      ask(call),
      signIn(),
    ])
    expect(withoutData).toMatchObject({ status: 200, text: expect.stringContaining('Choose your bike') })
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    for (const { headers, ms } of refused) {
      expect(headers.get('retry-after')).toBe('2')
      expect(ms).toBeLessThan(maxWaitMs)
    }
    expect(refused[0]?.text).toContain('The shop is temporarily unavailable')
    for (const { text } of [withoutData, refused[0] ?? withoutData]) {
      expect(text).toContain('Held Out Motos')
      expect(text).not.toContain('Torque Yard')
    }
    expect(refused[0]?.headers.get('cache-control')).toBe('no-store')
    expect(refused[2]?.text).toContain('"code":"UNAVAILABLE"')
    await vi.waitUntil(async () => (await ask('/readyz')).status === 503, polling)
    const reason = await fetch(`http://127.0.0.1:${metricsPort}/readyz`)
    expect(await reason.json()).toEqual({ status: 'not ready', reason: 'database unavailable' })
    expect(await ask('/healthz')).toMatchObject({ status: 200 })

    for (const path of ['/products', '/api/products']) {
      const cached = await ask(path, { headers: { authorization: 'Bearer x.y.z' } })
      expect(cached).toMatchObject({ status: 200, text: expect.stringContaining('Left-hand lever') })
      expect(cached.headers.get('cache-status')).toBe('shop; hit; detail=stale')
      expect(cached.ms).toBeLessThan(maxWaitMs)
    }

    await reconnect()
    await vi.waitUntil(async () => (await ask(call)).status === 200, polling)
    for (const path of [uncached, '/products', '/api/products']) {
      const { status, headers } = await ask(path)
      expect(status).toBe(200)
      expect(headers.get('cache-status')).not.toContain('detail=stale')
    }
  },
)

async function countRefused(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^http_requests_refused_total\{reason="requests"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

test('requests above the concurrency limit are rejected immediately, and /healthz still responds', async () => {
  await fillCache('/products')
  const refusedBefore = await countRefused()
  proxy.freeze()
  let ended = 0
  const pending = Array.from({ length: maxRequests + 20 }, () =>
    ask('/api/reviews', { headers: { authorization: 'Bearer none' } }).finally(() => ended++),
  )
  await vi.waitUntil(() => ended >= 20, { timeout: 60_000, interval: 5 })
  // The others use up the limit while they wait for the database.
  const unlimited = await Promise.all([ask('/healthz'), ask('/products')])
  expect(unlimited.map(({ status }) => status)).toEqual([200, 200])
  const responses = await Promise.all(pending)
  for (const { status, headers, text } of responses) {
    expect({ status, retry: headers.get('retry-after') }).toEqual({ status: 503, retry: '2' })
    expect(text).toContain('"code":"UNAVAILABLE"')
  }
  expect((await countRefused()) - refusedBefore).toBe(20)
  expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(maxWaitMs)
})
