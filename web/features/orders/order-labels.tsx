import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { sampleDate } from '../../texts.ts'
import { Chip, type ChipTone } from '../../ui/chip.tsx'
import { CheckIcon, ClockIcon, TruckIcon, WarningIcon } from '../../ui/icons.tsx'

/** Order number shown to users: the first 6 characters of the id. */
export const orderNumber = (id: string): string => id.slice(0, 6)

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

export const orderDate = ({ date }: Order): string => (date ? dates.format(new Date(date)) : sampleDate)

/** Until when an order can be paid, in the viewer's own date format. Orders are only rendered in the browser. */
export function PayBy({ order: { payBy } }: { order: Order }) {
  if (!payBy) return null
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  // A no-break space keeps AM and PM beside the time.
  const text = format.format(new Date(payBy)).replace(/\s(?=[AP]M$)/i, '\u00a0')
  return <time dateTime={payBy}>{text}</time>
}

const icon = 'size-3.5'

export function PaymentChip({ order }: { order: Order }) {
  if (order.processing) {
    return (
      <Chip tone="wait" icon={<ClockIcon className={icon} />}>
        Processing
      </Chip>
    )
  }
  return order.payment ? (
    <Chip tone="good" icon={<CheckIcon className={icon} />}>
      Paid
    </Chip>
  ) : (
    <Chip tone="wait" icon={<ClockIcon className={icon} />}>
      Pending
    </Chip>
  )
}

export function ShipmentChip({ order }: { order: Order }) {
  return order.shipment === '' ? (
    <Chip tone="quiet" icon={<ClockIcon className={icon} />}>
      Pending
    </Chip>
  ) : (
    <Chip tone="ink" icon={<TruckIcon className={icon} />}>
      {order.shipment}
    </Chip>
  )
}

const tones: Record<Refund['status'], ChipTone> = {
  due: 'wait',
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
}
const icons = { due: ClockIcon, pending: ClockIcon, succeeded: CheckIcon, failed: WarningIcon }

export function RefundChip({ refund: { status } }: { refund: Refund }) {
  const Icon = icons[status]
  return (
    <Chip tone={tones[status]} icon={<Icon className="size-3.5" />}>
      {refundStates[status]}
    </Chip>
  )
}

const refundStates: Record<Refund['status'], string> = {
  due: 'Due',
  pending: 'Pending',
  succeeded: 'Refunded',
  failed: 'Failed',
}

/** Reason of a refund, capitalized. */
export const refundReason = ({ reason }: Refund): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'
