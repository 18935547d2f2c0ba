import { type OrderStatus, orderStatuses } from '../../../contract/order-status.ts'

/** An order is paid as a whole, and its lines are shipped together, so its status says both. */
const statuses = {
  unpaid: { isPaid: false, pieces: 'open' },
  paid: { isPaid: true, pieces: 'open' },
  shipped: { isPaid: true, pieces: 'shipped' },
  cancelled: { isPaid: false, pieces: 'cancelled' },
  refunded: { isPaid: true, pieces: 'cancelled' },
} as const satisfies Record<OrderStatus, { isPaid: boolean; pieces: 'open' | 'shipped' | 'cancelled' }>

/** Amounts in cents. Without the refunds of payments that paid no order. */
export interface PaymentAmounts {
  paidCents: number
  refundedCents: number
}

/** Pieces of a line. `openPieces`: neither shipped nor cancelled. No piece can be returned yet. */
export interface LinePieces {
  openPieces: number
  shippedPieces: number
  returnedPieces: number
}

interface PaidOrder {
  status: OrderStatus
  amount_cents: number
  refunded_cents: number
}

/** Returns what is paid and refunded of an order. */
export const toPaymentAmounts = (order: PaidOrder): PaymentAmounts => ({
  paidCents: statuses[order.status].isPaid ? order.amount_cents : 0,
  refundedCents: order.refunded_cents,
})

/** Returns what is open, shipped and returned of a line. */
export function toLinePieces(status: OrderStatus, { quantity }: { quantity: number }): LinePieces {
  const { pieces } = statuses[status]
  return {
    openPieces: pieces === 'open' ? quantity : 0,
    shippedPieces: pieces === 'shipped' ? quantity : 0,
    returnedPieces: 0,
  }
}

interface OrderWithLines extends PaidOrder {
  lines: { quantity: number }[]
}

/** Returns payment and shipment as the specified calls name them. */
export function toWireStates(order: OrderWithLines): { payment: boolean; shipment: 'Shipped' | '' } {
  const lines = order.lines.map((line) => toLinePieces(order.status, line))
  const isShipped = lines.every(({ openPieces, shippedPieces }) => openPieces === 0 && shippedPieces > 0)
  return { payment: toPaymentAmounts(order).paidCents > 0, shipment: isShipped ? 'Shipped' : '' }
}

/** Lists the statuses that the specified calls show with this payment or shipment. */
export function listStatuses(wire: { payment?: boolean; shipment?: string | undefined }): OrderStatus[] {
  return orderStatuses.filter((status) => {
    const { payment, shipment } = toWireStates({
      status,
      amount_cents: 1,
      refunded_cents: 0,
      lines: [{ quantity: 1 }],
    })
    return (wire.payment ?? payment) === payment && (wire.shipment ?? shipment) === shipment
  })
}
