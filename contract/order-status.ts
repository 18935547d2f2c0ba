import type { ErrorCode } from './errors.ts'

/** `refunded`: paid, and cancelled before anything was shipped. */
export const orderStatuses = ['unpaid', 'paid', 'shipped', 'cancelled', 'refunded'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The allowed transitions of an order. */
const transitions = {
  pay: { from: 'unpaid', to: 'paid' },
  ship: { from: 'paid', to: 'shipped' },
  cancel: { from: 'unpaid', to: 'cancelled' },
  refund: { from: 'paid', to: 'refunded' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus }>

/** The fields by which a list of orders can be sorted. */
export const orderSorts = ['date', 'productName', 'quantity', 'amount', 'customerEmail'] as const

type OrderTransition = keyof typeof transitions

const errorCodes: Record<OrderStatus, ErrorCode> = {
  unpaid: 'ORDER_NOT_PAID',
  paid: 'ORDER_ALREADY_PAID',
  shipped: 'ORDER_ALREADY_SHIPPED',
  cancelled: 'ORDER_NOT_FOUND',
  refunded: 'ORDER_REFUNDED',
}

/** Returns the error code for this transition, or null if it is allowed. */
export function refuseTransition(transition: OrderTransition, status: OrderStatus): ErrorCode | null {
  return transitions[transition].from === status ? null : errorCodes[status]
}

/** The work lists of an admin. `all`: all but cancelled orders, as in the specified list. */
export const orderTabs = ['to-ship', 'unpaid', 'shipped', 'cancelled', 'all'] as const
export type OrderTab = (typeof orderTabs)[number]
