import { toDollars } from '../../../contract/money.ts'
import type { colours, Order, OrderEvent, sizes } from '../../../contract/orders.ts'
import type * as queries from './queries.ts'

/** Converts an order and its single line to the API's format. */
export function presentOrder(order: queries.Order, unpaidOrderHours: number): Order {
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
export function presentEvent(
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
