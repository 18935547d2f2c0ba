import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCustomer, anOrder, payAtSandbox, type TestCustomer } from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { openTestShop, type TestShop } from '../../../tests/shop.ts'
import type { PaymentDeps, PaymentGateway } from '../payments/service.ts'
import { cancelOrder, expireOrder } from './cancellation.ts'
import { confirmPayment, openPayment, settleIntent } from './settlement.ts'

let shop: TestShop
let rider: TestCustomer
/** What the provider was asked for, each time with every order and payment free for others. */
let asked: string[]

beforeAll(async () => {
  shop = await openTestShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.database.empty()
  rider = await aCustomer(shop)
  asked = []
})

const caller = () => ({ customerId: rider.id, email: rider.email, role: null, address: null })

/** Waits for what the shop does beside this, but not for whoever has put this very question: that is an error. */
async function expectNoLock(): Promise<void> {
  await shop.db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`lock table orders, payments, refunds in exclusive mode`.execute(tx)
  })
}

/** The shop's payments, with a look at its locks before each question to the provider. */
function watched(): PaymentDeps {
  const { gateway } = shop.payments
  const free = async (question: string) => {
    await expectNoLock()
    asked.push(question)
  }
  const watching: PaymentGateway = {
    ...gateway,
    createIntent: async (request) => {
      await free('create')
      return gateway.createIntent(request)
    },
    retrieveIntent: async (id) => {
      await free('retrieve')
      return gateway.retrieveIntent(id)
    },
    cancelIntent: async (id) => {
      await free('cancel')
      return gateway.cancelIntent(id)
    },
    refundInFull: async (id, attempt) => {
      await free('refund')
      return gateway.refundInFull(id, attempt)
    },
  }
  return { ...shop.payments, gateway: watching }
}

const open = (orderId: string) => openPayment(watched(), caller(), { amount: 40, orderId })

describe('no order, payment or refund is locked while the provider is asked by', () => {
  test('whoever opens and confirms a payment', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      await open(orderId)
      const { intentId } = await payAtSandbox(shop, await open(orderId))
      expect(await confirmPayment(watched(), caller(), orderId, intentId)).toBe(true)
      expect(asked).toEqual(['create', 'retrieve', 'retrieve'])
    }))

  test('whoever cancels an order with an open payment', async () => {
    const orderId = await anOrder(shop, rider)
    await open(orderId)
    expect(await cancelOrder(watched(), caller(), orderId)).toBe(true)
    expect(asked).toEqual(['create', 'cancel'])
  })

  test('the end of an order that nobody has paid in time', async () => {
    const orderId = await anOrder(shop, rider)
    await open(orderId)
    expect(await expireOrder(watched(), orderId)).toBe(true)
    expect(asked).toEqual(['create', 'cancel'])
  })

  test('money that goes back', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      const { intentId } = await payAtSandbox(shop, await open(orderId))
      await shop.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', orderId).execute()
      expect(await settleIntent(watched(), intentId)).toBe('refunded')
      expect(asked).toEqual(['create', 'retrieve', 'refund'])
    }))
})
