import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, untilWaiting } from './database.ts'
import { aGuestOrder, aProduct } from './factories.ts'
import { freePort } from './free-port.ts'
import { sentEmails } from './mailbox.ts'
import { openOwnShop, type TestShop } from './shop.ts'
import { openShopProcesses, type ShopProcess, type ShopProcesses } from './shop-process.ts'

let database: TestDatabase
let shops: ShopProcesses
let web: TestShop

beforeAll(async () => {
  web = await openOwnShop({ role: 'web', mail: 'mailbox' })
  web.startJobs()
  database = web.database
  shops = openShopProcesses()
})
afterAll(async () => {
  await shops.remove()
  await web.close()
})

async function startWorker(settings: Record<string, string> = {}): Promise<ShopProcess> {
  const worker = await shops.start({ DATABASE_URL: database.url, ROLE: 'worker', ...settings })
  await worker.child.line(/worker of Torque Yard is running/)
  return worker
}

const count = async (table: string) =>
  (await database.pool.query(`select count(*)::integer as rows from ${table}`)).rows[0].rows

/** Makes the order expire. */
const expire = (id: string) =>
  database.pool.query("update orders set placed_at = placed_at - interval '1 year' where id = $1", [id])

const events = async (id: string) => {
  const { rows } = await database.pool.query(
    'select kind from order_events where order_id = $1 order by id',
    [id],
  )
  return rows.map(({ kind }) => kind)
}

async function untilExpired(id: string): Promise<void> {
  await expect.poll(() => events(id)).toEqual(['placed', 'expired'])
}

test('a web process runs no job and sends no email', async () => {
  const { id } = await aGuestOrder(web)
  await expire(id)
  const { headers, ...cancelled } = await aGuestOrder(web)
  await web.call('cancelOrder', { params: { id: cancelled.id }, headers })
  expect(await events(id)).toEqual(['placed'])
  // The links of both orders, and the cancellation.
  expect([await count('jobs'), await count('mail_outbox')]).toEqual([0, 3])
})

test('another worker continues the work of one that was killed, and does it once; a worker has only probes', async () => {
  const productId = await aProduct(web)
  const { id, email } = await aGuestOrder(web, { productId })
  await expire(id)
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from products where id = $1 for update', [productId])
  const metricsPort = String(await freePort())
  const killed = await startWorker({ METRICS_PORT: metricsPort })
  await untilWaiting(database)
  // A worker with a metrics port needs no other port.
  expect((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status).toBe(200)
  await expect(fetch(killed.origin)).rejects.toThrow('fetch failed')
  // Before the kill: the lease of a half-sent email would last 30 seconds.
  expect(await sentEmails(database.db, email)).not.toEqual([])
  await expect.poll(() => count('jobs')).toBeGreaterThan(5)
  await killed.child.kill()
  await holder.query('rollback')
  holder.release()
  expect(await events(id)).toEqual(['placed'])

  // The leases end in 60 and 30 seconds. Their length is tested with the jobs.
  await database.pool.query("update jobs set due_at = due_at - interval '1 minute' where due_at > now()")
  await database.pool.query("update orders set expiry_checked_at = expiry_checked_at - interval '1 minute'")
  const { origin, child } = await startWorker()
  await untilExpired(id)
  const statuses = ['/', '/api/products', '/idp/jwks', '/healthz', '/readyz'].map(
    async (path) => (await fetch(origin + path)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200, 200])
  child.signal('SIGTERM')
  expect(await child.ended).toBe(0)
})
