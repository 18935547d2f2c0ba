import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCustomer, anOrder, aProduct } from '../../../tests/factories.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import { listen, stop } from '../../../tests/webhook-inbox.ts'
import { toOrderDeps } from '../../compose-payments.ts'
import { newId } from '../../platform/ids.ts'
import { expireUnpaidOrders } from '../orders/cancellation.ts'
import type { PaymentDeps } from './gateway.ts'
import { reconcilePayments } from './jobs.ts'
import { openStripeGateway } from './stripe.ts'

let shop: TestShop
let provider: Server
/** The URLs that the provider was asked for. */
let asked: string[]
/** Null breaks the connection. */
let answer: number | null
let deps: PaymentDeps

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  asked = []
  provider = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answer === null) response.destroy()
    else response.writeHead(answer).end(JSON.stringify({ error: { type: 'invalid_request_error' } }))
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

async function statusOf(id: string) {
  const order = shop.db.selectFrom('orders').select('status').where('id', '=', id)
  return (await order.executeTakeFirstOrThrow()).status
}

test('a hundred orders that the provider rejects do not delay the others', async () => {
  answer = 400
  await oldOrders(100)
  const rider = await aCustomer(shop)
  const orderId = await anOrder(shop, rider, { productId: await aProduct(shop, { price: 40 }) })
  await shop.db
    .updateTable('orders')
    .set({ placed_at: new Date('2020-01-02') })
    .where('id', '=', orderId)
    .execute()
  await expireUnpaidOrders(toOrderDeps(deps), 72)
  expect(asked).toHaveLength(100)
  expect(await statusOf(orderId)).toBe('unpaid')
  await expireUnpaidOrders(toOrderDeps(deps), 72)
  expect(asked).toHaveLength(100)
  expect(await statusOf(orderId)).toBe('cancelled')
})

test('while the provider is unavailable, a round asks for one order only, and the next for another one', async () => {
  answer = null
  await oldOrders(3)
  await expireUnpaidOrders(toOrderDeps(deps), 72)
  expect(new Set(asked).size).toBe(1)
  await expireUnpaidOrders(toOrderDeps(deps), 72)
  expect(new Set(asked).size).toBe(2)
})

test('while the provider is unavailable, a round asks for one payment only, and the next for another one', async () => {
  answer = null
  await oldOrders(3)
  await reconcilePayments(deps)
  expect(new Set(asked).size).toBe(1)
  await reconcilePayments(deps)
  expect(new Set(asked).size).toBe(2)
})

test('the provider is asked once a minute for each open payment, however many processes ask', async () => {
  answer = 400
  await oldOrders(20)
  await Promise.all(Array.from({ length: 4 }, () => reconcilePayments(deps)))
  expect(asked).toHaveLength(20)
  expect(new Set(asked).size).toBe(20)
  await reconcilePayments(deps)
  expect(asked).toHaveLength(20)
})

test('the provider is asked once a minute for each unpaid order, however many processes ask', async () => {
  answer = 400
  await oldOrders(20)
  await Promise.all(Array.from({ length: 4 }, () => expireUnpaidOrders(toOrderDeps(deps), 72)))
  expect(asked).toHaveLength(20)
  expect(new Set(asked).size).toBe(20)
})
