import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aCustomer, anOrder, aProduct } from '../../../tests/factories.ts'
import { listen, stop } from '../../../tests/listen.ts'
import { sentEmails } from '../../../tests/mailbox.ts'
import { useTestShop } from '../../../tests/shop.ts'
import { newId } from '../../platform/database/database.ts'
import { type Job, startJobs } from '../../platform/jobs.ts'
import { expireUnpaidOrders } from './cancellation.ts'
import { reconcilePayments } from './jobs.ts'
import type { PaymentDeps } from './service.ts'
import { openStripeGateway } from './stripe.ts'

const shop = useTestShop({ mail: 'mailbox' })
let provider: Server
/** The URLs that the provider was asked for. */
let asked: string[]
/** Null breaks the connection. */
let reply: number | null
let deps: PaymentDeps

beforeEach(async () => {
  asked = []
  provider = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (reply === null) response.destroy()
    else response.writeHead(reply).end(JSON.stringify({ error: { type: 'invalid_request_error' } }))
  })
  const api = { host: '127.0.0.1', port: await listen(provider), protocol: 'http' } as const
  const gateway = openStripeGateway({ secretKey: 'sk_test_x', webhookSecret: 'whsec_x', api })
  deps = { ...shop.payments, gateway }
})
afterEach(() => stop(provider))

/** Inserts unpaid orders of 2020, each with an open payment. */
async function oldOrders(count: number): Promise<void> {
  const { id: customer_id } = await aCustomer(shop)
  const placed_at = new Date('2020-01-01')
  const blank = {
    customer_id,
    customer_email: '',
    customer_name: '',
    customer_phone: '',
    shipping_address: '',
  }
  const orders = Array.from({ length: count }, () => ({
    id: newId(),
    ...blank,
    placed_at,
    amount_cents: 4000,
    pieces: 1,
    line_count: 1,
  }))
  await shop.db
    .insertInto('orders')
    .values(orders.map((order) => ({ ...order, status: 'unpaid' as const })))
    .execute()
  const payment = {
    provider: 'stripe',
    attempt: 1,
    amount_cents: 4000,
    currency: 'usd',
    status: 'open',
    created_at: placed_at,
    checked_at: placed_at,
  } as const
  await shop.db
    .insertInto('payments')
    .values(orders.map(({ id }) => ({ ...payment, order_id: id, intent_id: `pi_${id}` })))
    .execute()
}

async function readStatus(id: string) {
  const order = shop.db.selectFrom('orders').select('status').where('id', '=', id)
  return (await order.executeTakeFirstOrThrow()).status
}

test('a hundred orders that the provider rejects do not delay the others', async () => {
  reply = 400
  await oldOrders(100)
  const rider = await aCustomer(shop)
  const orderId = await anOrder(shop, rider, { productId: await aProduct(shop, { price: 40 }) })
  await shop.db
    .updateTable('orders')
    .set({ placed_at: new Date('2020-01-02') })
    .where('id', '=', orderId)
    .execute()
  // The next run starts immediately, and does not ask for the rejected ones again.
  expect(await expireUnpaidOrders(deps)).toBe(0)
  expect(asked).toHaveLength(100)
  expect(await readStatus(orderId)).toBe('unpaid')
  await sql`update orders set expiry_checked_at = expiry_checked_at - interval '30 seconds'`.execute(shop.db)
  expect(await expireUnpaidOrders(deps)).toBeUndefined()
  expect(asked).toHaveLength(100)
  expect(await readStatus(orderId)).toBe('cancelled')
})

test('an unpaid order that expires is announced: until when it can be paid, then one email', async () => {
  const rider = await aCustomer(shop)
  const productId = await aProduct(shop, { name: 'Chain', price: 40 })
  const orderId = await anOrder(shop, rider, { productId })
  const exemptId = await anOrder(shop, rider, { productId })
  await shop.db
    .updateTable('orders')
    .set({ placed_at: new Date('2026-01-02T10:00:00Z') })
    .execute()
  await shop.db.updateTable('orders').set({ expires: false }).where('id', '=', exemptId).execute()
  const payBy = async (id: string) => (await shop.call('getOrder', { as: rider, query: { id } })).body.payBy
  expect(await payBy(orderId)).toBe('2026-01-05T10:00:00.000Z')
  expect(await payBy(exemptId)).toBeUndefined()

  await Promise.all([expireUnpaidOrders(shop.payments), expireUnpaidOrders(shop.payments)])
  await expireUnpaidOrders(shop.payments)
  expect(await readStatus(orderId)).toBe('cancelled')
  expect(await readStatus(exemptId)).toBe('unpaid')
  expect(await sentEmails(shop.db, rider.email)).toMatchObject([
    {
      subject: `Order #${orderId.slice(0, 6)} was cancelled: not paid in time`,
      body: expect.stringContaining('We did not receive your payment within 72 hours'),
    },
  ])
})

test('while the provider is unavailable, a round asks for one order only, and the next for another one', async () => {
  reply = null
  await oldOrders(3)
  await expireUnpaidOrders(deps)
  expect(new Set(asked).size).toBe(1)
  await expireUnpaidOrders(deps)
  expect(new Set(asked).size).toBe(2)
})

test('while the provider is unavailable, a round asks for one payment only, and the next for another one', async () => {
  reply = null
  await oldOrders(3)
  await reconcilePayments(deps)
  expect(new Set(asked).size).toBe(1)
  await reconcilePayments(deps)
  expect(new Set(asked).size).toBe(2)
})

test('the provider is asked once a minute for each open payment, however many processes ask', async () => {
  reply = 400
  await oldOrders(20)
  await Promise.all(Array.from({ length: 4 }, () => reconcilePayments(deps)))
  expect(asked).toHaveLength(20)
  expect(new Set(asked).size).toBe(20)
  await reconcilePayments(deps)
  expect(asked).toHaveLength(20)
})

test('an older payment is checked less often, once an hour at most', async () => {
  reply = 400
  await oldOrders(4)
  const ages = ['15 minutes', '30 minutes', '10 hours', '70 hours']
  const orders = await shop.db.selectFrom('payments').select('intent_id').orderBy('intent_id').execute()
  for (const [index, { intent_id }] of orders.entries()) {
    const created = sql<Date>`now() - ${ages[index]}::interval`
    await shop.db
      .updateTable('payments')
      .set({ created_at: created })
      .where('intent_id', '=', intent_id)
      .execute()
  }
  const askAfter = async (wait: string) => {
    asked = []
    await shop.db
      .updateTable('payments')
      .set({ checked_at: sql`now() - ${wait}::interval` })
      .execute()
    await reconcilePayments(deps)
    return asked.length
  }
  expect([await askAfter('61 seconds'), await askAfter('2 minutes'), await askAfter('31 minutes')]).toEqual([
    1, 2, 3,
  ])
  expect(await askAfter('61 minutes')).toBe(4)
})

test('two processes that run the job ask the provider once for each open payment', async () => {
  reply = 400
  await oldOrders(20)
  const ran = vi.fn<Job['run']>((signal) => reconcilePayments(deps, signal))
  const job = { name: 'reconcile in a test', intervalMs: 10, run: ran }
  const processes = [startJobs(shop.db, [job], shop.app.log), startJobs(shop.db, [job], shop.app.log)]
  await vi.waitUntil(() => ran.mock.calls.length >= 3, { timeout: 60_000 })
  await Promise.all(processes.map(({ stop }) => stop()))
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted())
  expect(asked).toHaveLength(20)
})

test('the provider is asked once a minute for each unpaid order, however many processes ask', async () => {
  reply = 400
  await oldOrders(20)
  await Promise.all(Array.from({ length: 4 }, () => expireUnpaidOrders(deps)))
  expect(asked).toHaveLength(20)
  expect(new Set(asked).size).toBe(20)
})
