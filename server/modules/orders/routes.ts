import type { Kysely } from 'kysely'
import { toDollars } from '../../../contract/money.ts'
import type { Order, OrderEvent, OrderLine } from '../../../contract/orders.ts'
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
      lines: order.lines.map(presentLine),
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

/** Converts an order to the API's format, without its lines. */
function presentOrder(order: queries.Order, unpaidOrderHours: number): Order {
  const canExpire = order.status === 'unpaid' && !order.is_processing && order.expires
  const [first] = order.lines
  const only = order.line_count === 1 ? first : undefined
  return {
    _id: order.id,
    productId: first?.product_id ?? '',
    productName: orders.nameOrder(order),
    image: first?.product_image ?? '',
    quantity: order.pieces,
    unitPrice: only && toDollars(only.unit_price_cents),
    amount: toDollars(order.amount_cents),
    customerEmail: order.customer_email,
    customerName: order.customer_name,
    customerPhone: order.customer_phone,
    customerAddress: order.shipping_address,
    payment: order.status === 'paid' || order.status === 'shipped',
    processing: order.status === 'unpaid' && order.is_processing,
    shipment: order.status === 'shipped' ? 'Shipped' : '',
    transactionId: order.transaction_id ?? undefined,
    size: only?.size ?? undefined,
    colour: only?.colour ?? undefined,
    status: order.status,
    lineCount: order.line_count,
    date: order.placed_at?.toISOString(),
    payBy: canExpire && order.placed_at ? hoursAfter(order.placed_at, unpaidOrderHours) : undefined,
  }
}

const presentLine = (line: queries.Order['lines'][number]): OrderLine => ({
  productId: line.product_id,
  variantId: line.variant_id,
  name: line.product_name,
  image: line.product_image,
  sku: line.sku ?? undefined,
  size: line.size ?? undefined,
  colour: line.colour ?? undefined,
  quantity: line.quantity,
  unitPrice: toDollars(line.unit_price_cents),
  total: toDollars(line.unit_price_cents * line.quantity),
})

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
