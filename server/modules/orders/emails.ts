import { formatDollars, toDollars } from '../../../contract/money.ts'
import type { EmailContent, EmailRenderers } from '../mail/service.ts'
import * as queries from './queries.ts'

/** The emails about an order; `subject` is its id. */
export const createOrderEmails = (origin: string): Pick<EmailRenderers, 'order-expired'> => ({
  async 'order-expired'(tx, { subject }) {
    const order = await queries.findOrder(tx, subject)
    return order ? orderExpired(order, origin) : null
  },
})

function orderExpired(order: queries.Order, origin: string): EmailContent {
  const number = `#${order.id.slice(0, 6)}`
  const total = formatDollars(toDollars(order.amount_cents))
  return {
    subject: `Your order ${number} was cancelled`,
    body: [
      `We cancelled your order ${number} because it was not paid in time.`,
      `${order.quantity} × ${order.product_name}, ${total} in total.`,
      'If you still want to buy it, please place a new order.',
      { label: 'Browse the products', url: `${origin}/products` },
    ],
  }
}
