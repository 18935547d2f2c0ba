import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { noPermissions } from '../../../contract/permissions.ts'
import { aCustomer, anOrder, payAtSandbox } from '../../../tests/factories.ts'
import { whileWebhooksAreLost } from '../../../tests/lost-webhooks.ts'
import { useCustomer, useTestShop } from '../../../tests/shop.ts'
import * as orders from '../orders/service.ts'
import { cancelOrder, expireUnpaidOrders } from './cancellation.ts'
import { confirmPayment, openPayment, type PaymentDeps, settleIntent } from './service.ts'
import type { PaymentGateway } from './stripe.ts'

const shop = useTestShop()
const rider = useCustomer(() => aCustomer(shop))
/** The calls to the provider. No order and no payment was locked during any of them. */
let asked: string[]

beforeEach(async () => {
  asked = []
})

const caller = () => ({
  customerId: rider.id,
  email: rider.email,
  role: null,
  permissions: noPermissions,
  openStep: null,
  signIn: null,
  ip: null,
})

/** Fails if the caller holds a lock; waits for other work of the shop. */
async function expectNoLock(): Promise<void> {
  await shop.db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`lock table orders, payments, refunds in exclusive mode`.execute(tx)
  })
}

/** The dependencies of payments, with a check of the locks before each call to the provider. */
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
    findIntent: async (id) => {
      await free('find')
      return gateway.findIntent(id)
    },
    cancelIntent: async (id) => {
      await free('cancel')
      return gateway.cancelIntent(id)
    },
    refund: async (request) => {
      await free('refund')
      return gateway.refund(request)
    },
  }
  return { ...shop.payments, gateway: watching }
}

const requireOrder = (id: string) => orders.requireOrder(shop.db, caller(), id, null)
const open = async (orderId: string) => (await openPayment(watched(), () => requireOrder(orderId))).clientData

describe('no order, payment or refund is locked during a provider call by', () => {
  test('opening and confirming a payment', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      await open(orderId)
      const { intentId } = await payAtSandbox(shop, (await open(orderId)).client_secret)
      expect(await confirmPayment(watched(), await requireOrder(orderId), intentId)).toBe(true)
      expect(asked).toEqual(['create', 'find', 'find'])
    }))

  test('cancelling an order with an open payment', async () => {
    const orderId = await anOrder(shop, rider)
    await open(orderId)
    expect(await cancelOrder(watched(), await requireOrder(orderId), caller())).toBe(true)
    expect(asked).toEqual(['create', 'cancel'])
  })

  test('expiring an unpaid order', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      await open(orderId)
      const long = new Date(0)
      await shop.db.updateTable('orders').set({ placed_at: long }).where('id', '=', orderId).execute()
      await expireUnpaidOrders(watched())
      expect(asked).toEqual(['create', 'cancel'])
    }))

  test('refunding a payment', () =>
    whileWebhooksAreLost(shop, async () => {
      const orderId = await anOrder(shop, rider)
      const { intentId } = await payAtSandbox(shop, (await open(orderId)).client_secret)
      await shop.db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', orderId).execute()
      expect(await settleIntent(watched(), intentId)).toBe('refunded')
      expect(asked).toEqual(['create', 'find', 'refund'])
    }))
})
