import type { OrderEvent } from '../contract/orders.ts'

/** Names of order events, for the history of an order and for the audit. */
export const orderEventNames: Record<OrderEvent['kind'], string> = {
  placed: 'Order placed',
  options: 'Size and colour chosen',
  claimed: 'Added to My Orders',
  processing: 'Payment processing',
  payment_failed: 'Payment failed',
  paid: 'Paid',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
  expired: 'Cancelled: not paid in time',
  refund_due: 'Refund due',
  refunded: 'Refunded',
  refund_failed: 'Refund failed, retrying',
  part_shipped: 'Partly shipped',
  tracking_changed: 'Tracking changed',
  unshipped: 'Set back: not shipped yet',
  items_cancelled: 'Items cancelled',
  return_requested: 'Return requested',
  return_approved: 'Return approved',
  return_rejected: 'Return rejected',
  return_closed: 'Return closed',
  withdrawn: 'Withdrawn from the contract',
}
