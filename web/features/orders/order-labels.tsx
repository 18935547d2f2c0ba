import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { ProductImage } from '../../product-image.tsx'
import { Chip, type ChipProps } from '../../ui/chip.tsx'
import { CheckIcon, ClockIcon, CloseIcon, PersonIcon, TruckIcon, WarningIcon } from '../../ui/icons.tsx'
import type { PictureProps } from '../../ui/picture.tsx'

/** Order number shown to users: the first 6 characters of the id. */
export const orderNumber = (id: string): string => id.slice(0, 6)

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' })

export const formatDate = (date: string): string => dates.format(new Date(date))

/** The date of an order. Imported orders without a date show this one. */
export const orderDate = ({ date }: Order): string => (date ? formatDate(date) : '1 January 2022')

const isToday = (date: string): boolean => new Date(date).toDateString() === new Date().toDateString()

interface PayByProps {
  order: Pick<Order, 'payBy'>
  /** Leaves out the date if it is today. */
  short?: boolean
}

/** Until when an order can be paid, in the viewer's own date format. Orders are only rendered in the browser. */
export function PayBy({ order: { payBy }, short = false }: PayByProps) {
  if (!payBy) return null
  const format = new Intl.DateTimeFormat(undefined, {
    dateStyle: short && isToday(payBy) ? undefined : 'medium',
    timeStyle: 'short',
  })
  // A no-break space keeps AM and PM beside the time.
  const text = format.format(new Date(payBy)).replace(/\s(?=[AP]M$)/i, '\u00a0')
  return <time dateTime={payBy}>{text}</time>
}

interface OrderPictureProps extends Pick<PictureProps, 'sizes' | 'loading' | 'className'> {
  /** An order or one of its lines. */
  order: Pick<Order, 'image'>
}

/** Picture of the ordered product. Decorative, because the name of the product is beside it. */
export const OrderPicture = ({ order: { image }, ...rest }: OrderPictureProps) => (
  <ProductImage src={image} alt="" {...rest} />
)

type ChipLook = Omit<ChipProps, 'children'>
const waiting: ChipLook = { tone: 'wait', icon: ClockIcon }
const done: ChipLook = { tone: 'good', icon: CheckIcon }

export function PaymentChip({ order }: { order: Order }) {
  if (order.processing) return <Chip {...waiting}>Processing</Chip>
  if (order.status === 'refunded') return <Chip {...done}>Refunded</Chip>
  return order.payment ? <Chip {...done}>Paid</Chip> : <Chip {...waiting}>Pending</Chip>
}

export function ShipmentChip({ order: { shipment, status } }: { order: Order }) {
  if (status === 'refunded') {
    return (
      <Chip tone="quiet" icon={CloseIcon}>
        Cancelled
      </Chip>
    )
  }
  return (
    <Chip tone={shipment ? 'ink' : 'quiet'} icon={shipment ? TruckIcon : ClockIcon}>
      {shipment || 'Pending'}
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
  failed: { tone: 'bad', icon: WarningIcon, children: 'Failed' },
  closed: { ...done, children: 'Closed' },
}

export const RefundChip = ({ refund: { status } }: { refund: Refund }) => <Chip {...refundStates[status]} />

/** Reason of a refund, capitalized. */
export const refundReason = ({ reason }: Pick<Refund, 'reason'>): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'

/** The way on for a customer with too many unpaid orders. */
export const MyOrdersLink = () => (
  <a href="/dashboard/my-orders" className="mt-2 block font-semibold underline">
    My Orders
  </a>
)
