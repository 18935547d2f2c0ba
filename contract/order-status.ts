import type { ErrorCode } from './errors.ts'

export type OrderStatus = 'unpaid' | 'paid' | 'shipped' | 'cancelled'

/** What may happen to an order, from which state, to which state; any other move is refused with a code. */
export const transitions = {
  pay: { from: 'unpaid', to: 'paid' },
  ship: { from: 'paid', to: 'shipped' },
  cancel: { from: 'unpaid', to: 'cancelled' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus }>

export type OrderTransition = keyof typeof transitions

const errorCodes: Record<OrderStatus, ErrorCode> = {
  unpaid: 'ORDER_NOT_PAID',
  paid: 'ORDER_ALREADY_PAID',
  shipped: 'ORDER_ALREADY_SHIPPED',
  cancelled: 'ORDER_NOT_FOUND',
}

/** The code that refuses a move from this state, or null if it is allowed. */
export function refuseTransition(transition: OrderTransition, status: OrderStatus): ErrorCode | null {
  return transitions[transition].from === status ? null : errorCodes[status]
}

/** The state of an order as the wire tells it: `payment` and `shipment`. */
export function orderStatus(order: { payment: boolean; shipment: string }): OrderStatus {
  if (order.shipment === 'Shipped') return 'shipped'
  return order.payment ? 'paid' : 'unpaid'
}
