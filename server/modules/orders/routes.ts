import type { Calls } from '../../calls.ts'
import { sendPage } from '../../platform/page.ts'
import * as payments from '../payments/service.ts'
import { cancelOrder } from './cancellation.ts'
import { presentEvent, presentOrder } from './present.ts'
import * as orders from './service.ts'
import * as settlement from './settlement.ts'

export function registerOrders(calls: Calls, deps: payments.PaymentDeps): void {
  const { db } = deps

  calls.handle('listOrders', async ({ query, reply }) =>
    sendPage(reply, await orders.listOrders(db, query)).map(presentOrder),
  )

  calls.handle('getOrder', async ({ query, caller }) => {
    const order = await orders.requireVisibleOrder(db, caller, query.id)
    const events = await orders.listEvents(db, order.id)
    const refunds = await payments.listRefundsOfOrder(db, order.id)
    return {
      ...presentOrder(order),
      history: events.map((event) => presentEvent(order, event, caller)),
      refunds: refunds.map(payments.presentRefund),
    }
  })

  calls.handle('confirmPurchase', async ({ body, headers, caller }) => ({
    acknowledged: true,
    insertedId: await orders.placeOrder(db, caller, body, headers['idempotency-key'] ?? null),
  }))

  calls.handle('setOrderOptions', async ({ params, body, caller }) => {
    await orders.setOptions(db, caller, params.id, body)
    return { acknowledged: true, modifiedCount: 1 }
  })

  calls.handle('deleteOrder', async ({ query, caller }) => ({
    acknowledged: true,
    deletedCount: (await cancelOrder(deps, caller, query.id)) ? 1 : 0,
  }))

  calls.handle('updateShipping', async ({ params, caller }) => ({
    acknowledged: true,
    modifiedCount: (await orders.shipOrder(db, caller, params.id)) ? 1 : 0,
  }))

  calls.handle('createPaymentIntent', async ({ body, caller }) => ({
    client_secret: await settlement.openPayment(deps, caller, body),
  }))

  calls.handle('payOrder', async ({ params, body, caller }) => ({
    acknowledged: true,
    modifiedCount: (await settlement.confirmPayment(deps, caller, params.id, body.transactionId)) ? 1 : 0,
  }))

  calls.handle('listRefunds', async ({ query, reply }) =>
    sendPage(reply, await payments.listRefunds(db, query)).map(payments.presentRefund),
  )
}
