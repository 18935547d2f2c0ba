import type { Kysely } from 'kysely'
import { toDollars } from '../../../contract/money.ts'
import type { colours, Order, OrderEvent, sizes } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/paging.ts'
import type * as queries from './queries.ts'
import * as orders from './service.ts'

interface OrderDeps {
  db: Kysely<Database>
  /** Null if the shop does not send email. */
  orderEmails: orders.OrderEmails | null
  unpaidOrderHours: number
  /** Of `payments`, which imports this module. */
  listRefunds: (orderId: string) => Promise<Refund[]>
}

export function registerOrders(calls: Calls, deps: OrderDeps): void {
  const { db, unpaidOrderHours, listRefunds } = deps
  calls.handle('listOrders', async ({ query, reply }) =>
    sendPage(reply, await orders.listOrders(db, query)).map((order) => presentOrder(order, unpaidOrderHours)),
  )

  calls.handle('getOrder', async ({ query, caller }) => {
    const order = await orders.requireOrder(db, caller, query.id, 'owner or admin')
    const events = await orders.listEvents(db, order.id)
    return {
      ...presentOrder(order, unpaidOrderHours),
      history: events.map((event) => presentEvent(order, event, caller)),
      refunds: await listRefunds(order.id),
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

  calls.handle('updateShipping', async ({ params, caller }) => ({
    acknowledged: true,
    modifiedCount: (await orders.shipOrder(deps, caller, params.id)) ? 1 : 0,
  }))
}

/** Converts an order and its single line to the API's format. */
function presentOrder(order: queries.Order, unpaidOrderHours: number): Order {
  const canExpire = order.status === 'unpaid' && !order.is_processing && order.expires
  return {
    _id: order.id,
    productId: order.product_id,
    productName: order.product_name,
    image: order.product_image,
    quantity: order.quantity,
    unitPrice: toDollars(order.unit_price_cents),
    amount: toDollars(order.amount_cents),
    customerEmail: order.customer_email,
    customerName: order.customer_name,
    customerPhone: order.customer_phone,
    customerAddress: order.shipping_address,
    payment: order.status === 'paid' || order.status === 'shipped',
    processing: order.status === 'unpaid' && order.is_processing,
    shipment: order.status === 'shipped' ? 'Shipped' : '',
    transactionId: order.transaction_id ?? undefined,
    size: (order.size as (typeof sizes)[number] | null) ?? undefined,
    colour: (order.colour as (typeof colours)[number] | null) ?? undefined,
    date: order.placed_at?.toISOString(),
    payBy: canExpire && order.placed_at ? hoursAfter(order.placed_at, unpaidOrderHours) : undefined,
  }
}

const hoursAfter = (date: Date, hours: number) => new Date(date.getTime() + hours * 3_600_000).toISOString()

/** Converts an event to the API's format. Only admins get the actor's email. */
function presentEvent(
  order: queries.Order,
  event: queries.OrderEvent,
  reader: { role: 'admin' | null },
): OrderEvent {
  const isCustomer = event.actor_id === order.customer_id
  return {
    kind: event.kind,
    at: event.occurred_at.toISOString(),
    by: event.actor_id === null ? 'shop' : isCustomer ? 'customer' : 'admin',
    email: reader.role === 'admin' ? (event.email ?? undefined) : undefined,
  }
}
