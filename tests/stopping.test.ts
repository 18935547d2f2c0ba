import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from './free-port.ts'
import { openShopProcesses, type ShopProcess, type ShopProcesses } from './shop-process.ts'

/** All on one data folder: a new database takes longer than the rest of a test. */
let shops: ShopProcesses

beforeAll(() => {
  shops = openShopProcesses()
})
afterEach(() => shops.stop())
afterAll(() => shops.remove())

const hasDatabase = () => existsSync(path.join(shops.dataDir, 'postgres/18/postmaster.pid'))

/** Sends a request without its body, and waits until the shop has read its head. */
async function beginRequest({ origin }: ShopProcess): Promise<ClientRequest> {
  const began = request(`${origin}/api/create-user/rider%40example.com`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
  })
  began.flushHeaders()
  await new Promise((resolve, reject) => {
    began.once('continue', resolve)
    began.once('error', reject)
  })
  return began
}

/** Resolves when the shop refuses connections. */
function untilClosed({ origin }: ShopProcess): Promise<void> {
  return vi.waitFor(() => expect(connectTo(origin)).rejects.toThrow('ECONNREFUSED'), 60_000)
}

async function connectTo(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.destroy()
}

test('a signal during the first start leaves no database running', async () => {
  const shop = await shops.start()
  await vi.waitFor(() => expect(hasDatabase()).toBe(true), { timeout: 60_000, interval: 1 })
  shop.child.signal('SIGTERM')
  expect(await shop.child.ended).toBe(0)
  expect(hasDatabase()).toBe(false)
})

test('SIGTERM, even twice, rejects new requests, finishes those that end, cuts off the others and exits 0', async () => {
  const shop = await shops.open({ DEMO: '0' })
  const inFlight = await beginRequest(shop)
  const endless = await beginRequest(shop)
  const began = performance.now()
  const cutOffMs = new Promise<number>((resolve) =>
    endless.once('error', () => resolve(performance.now() - began)),
  )
  shop.child.signal('SIGTERM')
  await untilClosed(shop)
  shop.child.signal('SIGTERM')
  const reply = new Promise<number | undefined>((resolve, reject) => {
    inFlight.once('response', (response) => resolve(response.statusCode))
    inFlight.once('error', reject)
  })
  inFlight.end('{}')
  expect(await reply).toBe(401) // Processed, and rejected because it has no credential.
  // Then the disk decides how long the database takes to end.
  expect(await cutOffMs).toBeLessThan(9_000)
  expect(await shop.child.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(hasDatabase()).toBe(false)
})

test('with DRAIN_SECONDS it first serves requests without being ready, and closes their connections', async () => {
  const metricsPort = String(await freePort())
  const shop = await shops.open({ DEMO: '0', DRAIN_SECONDS: '8', METRICS_PORT: metricsPort })
  const ask = async (path: string) => {
    const { status, headers } = await fetch(shop.origin + path, { keepalive: true })
    return [status, headers.get('connection')]
  }
  // The second response is a cache hit, and the third one is sent in front of Fastify.
  for (let count = 0; count < 3; count++) expect(await ask('/')).toEqual([200, 'keep-alive'])
  shop.child.signal('SIGTERM')
  const began = performance.now()
  await expect.poll(() => ask('/readyz')).toEqual([503, 'close'])
  // The port of visitors does not show the reason.
  const reason = await fetch(`http://127.0.0.1:${metricsPort}/readyz`)
  expect(await reason.json()).toEqual({ status: 'not ready', reason: 'draining' })
  expect(await (await fetch(`${shop.origin}/readyz`)).json()).toEqual({ status: 'not ready' })
  expect(await ask('/')).toEqual([200, 'close'])
  expect(await ask('/api/products')).toEqual([200, 'close'])
  expect(await shop.child.ended).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(7_900)
  expect(performance.now() - began).toBeLessThan(60_000)
})

describe('npm start', () => {
  test('passes SIGTERM on to the shop', async () => {
    const shop = await shops.openByNpm()
    shop.child.signal('SIGTERM')
    await shop.child.ended
    await untilClosed(shop)
    await expect.poll(hasDatabase).toBe(false)
  })

  test('ends with Ctrl-C, which reaches npm and the shop together', async () => {
    const shop = await shops.openByNpm()
    shop.child.signalGroup('SIGINT')
    await shop.child.ended
    await untilClosed(shop)
    await expect.poll(hasDatabase).toBe(false)
  })
})
