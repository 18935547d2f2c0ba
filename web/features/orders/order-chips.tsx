import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { Chip, type ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, CloseIcon, WarningIcon } from '../../ui/icons.tsx'
import { ClockIcon, PersonIcon, TruckIcon } from '../../ui/order-icons.tsx'

type ChipLook = Omit<ChipProps, 'children'>
// Tables of orders need their width for names.
const waiting: ChipLook = { tone: 'wait', icon: ClockIcon, wraps: true }
const done: ChipLook = { tone: 'good', icon: CheckIcon, wraps: true }
const failed: ChipLook = { tone: 'bad', icon: WarningIcon, wraps: true }
const ended: ChipLook = { tone: 'quiet', icon: CloseIcon, wraps: true }

export function PaymentChip({ order }: { order: Order }) {
  if (order.processing) return <Chip {...waiting}>Processing</Chip>
  // A process of an earlier version does not send the amount.
  const { amount, refunded = order.status === 'refunded' ? amount : 0 } = order
  if (refunded > 0) {
    // Lists have no refunds. An unmatched one does not belong to the payment of the order.
    const hasFailed = order.refunds?.some(({ kind, status }) => kind !== 'unmatched' && status === 'failed')
    if (hasFailed) return <Chip {...failed}>Refund failed</Chip>
    const isPart = order.status !== 'refunded' && refunded < amount
    return <Chip {...done}>{isPart ? 'Partly refunded' : 'Refunded'}</Chip>
  }
  if (order.status === 'cancelled') {
    return <Chip {...ended}>Not paid</Chip>
  }
  return order.payment ? <Chip {...done}>Paid</Chip> : <Chip {...waiting}>Pending</Chip>
}

export function ShipmentChip({ order: { shipment, status, partlyShipped, pickup } }: { order: Order }) {
  if (status === 'refunded' || status === 'cancelled') {
    return <Chip {...ended}>Cancelled</Chip>
  }
  if (partlyShipped) {
    return (
      <Chip {...waiting} icon={TruckIcon}>
        {pickup ? 'Partly ready' : 'Partly shipped'}
      </Chip>
    )
  }
  return (
    <Chip tone={shipment ? 'ink' : 'quiet'} icon={shipment ? TruckIcon : ClockIcon} wraps>
      {shipment && pickup ? 'Ready for pickup' : shipment || 'Pending'}
    </Chip>
  )
}

/** For admins: a guest placed the order. Its customer has no account with it. */
export const GuestChip = ({ order: { guest } }: { order: Order }) =>
  guest ? (
    <Chip tone="quiet" icon={PersonIcon}>
      Guest
    </Chip>
  ) : null

const refundStates: Record<Refund['status'], ChipProps> = {
  due: { ...waiting, children: 'Due' },
  pending: { ...waiting, children: 'Pending' },
  succeeded: { ...done, children: 'Refunded' },
  failed: { ...failed, children: 'Failed' },
  closed: { ...done, children: 'Closed' },
}

export const RefundChip = ({ refund: { status } }: { refund: Refund }) => <Chip {...refundStates[status]} />
