import { toDollars } from '../../../contract/money.ts'
import type { colours, Order, sizes } from '../../../contract/orders.ts'
import type * as repository from './repository.ts'

/** An order in the specification's words: its one line stands in the order itself. */
export function presentOrder(order: repository.Order): Order {
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
    shipment: order.status === 'shipped' ? 'Shipped' : '',
    transactionId: order.transaction_id ?? undefined,
    size: (order.size as (typeof sizes)[number] | null) ?? undefined,
    colour: (order.colour as (typeof colours)[number] | null) ?? undefined,
    date: order.placed_at?.toISOString(),
  }
}
