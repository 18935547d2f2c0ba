import type { OrderDetails } from '../../../contract/checkout.ts'
import { formatDate, formatMoment, formatTime } from '../../../contract/dates.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { ProductImage } from '../../product-image.tsx'
import type { PictureProps } from '../../ui/picture.tsx'

export { orderNumber } from '../../../contract/order-number.ts'

/** Warns packers of an open withdrawal. */
export const withdrawnWarning = 'The customer withdraws from this order. Ask an admin before you ship it.'

/** Title of the dialogs that cancel an order and delete a product. */
export const cancelTitle = 'You are about to cancel your order'

/** The date of an order. Imported orders without a date show this one. */
export const orderDate = ({ date }: Order): string => (date ? formatDate(date) : '1 January 2022')

const isToday = (date: string): boolean => new Date(date).toDateString() === new Date().toDateString()

interface PayByProps {
  order: Pick<Order, 'payBy'>
  /** Leaves out the date if it is today. */
  short?: boolean
}

/** Until when an order can be paid. Orders are only rendered in the browser. */
export function PayBy({ order: { payBy }, short = false }: PayByProps) {
  if (!payBy) return null
  return <time dateTime={payBy}>{short && isToday(payBy) ? formatTime(payBy) : formatMoment(payBy)}</time>
}

interface OrderPictureProps extends Pick<PictureProps, 'sizes' | 'loading' | 'className'> {
  /** An order or one of its lines. */
  order: Pick<Order, 'image'>
}

/** Picture of the ordered product. Decorative, because the name of the product is beside it. */
export const OrderPicture = ({ order: { image }, ...rest }: OrderPictureProps) => (
  <ProductImage src={image} alt="" {...rest} />
)

/** Reason of a refund, capitalized. */
export const refundReason = ({ reason }: Pick<Refund, 'reason'>): string =>
  reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : '–'

/** The state of an order that was paid and then cancelled. */
export function describeCancelled({
  refunded,
  refunds = [],
}: Pick<OrderDetails, 'refunded' | 'refunds'>): string {
  if (!refunded) return 'Cancelled.'
  if (refunds.some(({ status }) => status === 'failed')) {
    return 'Cancelled. Your refund has not gone through yet, and we are working on it.'
  }
  // The customer got this money in another way than on the card.
  const isClosed = refunds.some(({ status, amount }) => status === 'closed' && amount > 0)
  return isClosed ? 'Cancelled and refunded.' : 'Cancelled and refunded. The money arrives in 5 to 10 days.'
}
