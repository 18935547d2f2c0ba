import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/paging.ts'
import { cancelOrder } from './cancellation.ts'
import { presentEvent, presentOrder } from './present.ts'
import * as orders from './service.ts'

export function registerOrders(calls: Calls, deps: orders.OrderDeps): void {
  const { db, unpaidOrderHours } = deps

  calls.handle('listOrders', async ({ query, reply }) =>
    sendPage(reply, await orders.listOrders(db, query)).map((order) => presentOrder(order, unpaidOrderHours)),
  )

  calls.handle('getOrder', async ({ query, caller }) => {
    const order = await orders.requireOrder(db, caller, query.id, 'owner or admin')
    const events = await orders.listEvents(db, order.id)
    return {
      ...presentOrder(order, unpaidOrderHours),
      history: events.map((event) => presentEvent(order, event, caller)),
      refunds: await deps.listRefunds(order.id),
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
}
