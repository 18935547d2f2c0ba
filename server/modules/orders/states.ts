import { type OrderStatus, orderStatuses } from '../../../contract/order-status.ts'

const statuses = {
  unpaid: { isPaid: false, pieces: 'open' },
  paid: { isPaid: true, pieces: 'open' },
  shipped: { isPaid: true, pieces: 'shipped' },
  cancelled: { isPaid: false, pieces: 'cancelled' },
  refunded: { isPaid: true, pieces: 'cancelled' },
} as const satisfies Record<OrderStatus, { isPaid: boolean; pieces: 'open' | 'shipped' | 'cancelled' }>

/** Amounts in cents. Without the refunds of payments that paid no order. */
interface PaymentAmounts {
  paidCents: number
  refundedCents: number
}

/** Pieces of a line. `openPieces`: neither shipped nor cancelled. `returnedPieces` are shipped ones. */
export interface LinePieces {
  openPieces: number
  shippedPieces: number
  cancelledPieces: number
  returnedPieces: number
}

/** A line, with the pieces of its refunds, and its shipment. */
interface LineWithRefunds {
  quantity: number
  shipment_id: string | null
  cancelled_pieces: number
  returned_pieces: number
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

/** Returns what is open, shipped, cancelled and returned of a line. It ships as a whole, without its cancelled pieces. */
export function toLinePieces(status: OrderStatus, line: LineWithRefunds): LinePieces {
  // Orders that an earlier version shipped have no shipment.
  const pieces = line.shipment_id === null ? statuses[status].pieces : 'shipped'
  const left = line.quantity - line.cancelled_pieces
  return {
    openPieces: pieces === 'open' ? left : 0,
    shippedPieces: pieces === 'shipped' ? left : 0,
    cancelledPieces: pieces === 'cancelled' ? line.quantity : line.cancelled_pieces,
    returnedPieces: line.returned_pieces,
  }
}

/** Returns payment and shipment as the specified calls name them. */
export function toWireStates(order: PaidOrder): { payment: boolean; shipment: 'Shipped' | '' } {
  const isShipped = statuses[order.status].pieces === 'shipped'
  return { payment: toPaymentAmounts(order).paidCents > 0, shipment: isShipped ? 'Shipped' : '' }
}

/** Lists the statuses that the specified calls show with this payment or shipment. */
export function listStatuses(wire: { payment?: boolean; shipment?: string | undefined }): OrderStatus[] {
  return orderStatuses.filter((status) => {
    const { payment, shipment } = toWireStates({ status, amount_cents: 1, refunded_cents: 0 })
    return (wire.payment ?? payment) === payment && (wire.shipment ?? shipment) === shipment
  })
}
