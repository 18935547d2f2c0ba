import { useQuery } from '@tanstack/react-query'
import { formatDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { pictureSources } from '../../../contract/pictures.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PaymentChip, ShipmentChip } from './order-chips.tsx'
import { orderDate, orderNumber } from './order-labels.ts'
import { OrderRefunds } from './order-refunds.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PayBy } from './pay-by.tsx'
import { orderQuery } from './queries.ts'

/** Details of an order with its refunds and history. */
export function OrderDetails({ order, onClose }: { order: Order; onClose: () => void }) {
  const whole = useQuery(orderQuery(order._id))
  // The state may have changed since the list was loaded, for example if a payment was processing.
  const now = whole.data ?? order
  const items = [
    { name: 'Product', value: order.productName },
    { name: 'Size', value: order.size },
    { name: 'Colour', value: order.colour },
    { name: 'Order Date', value: orderDate(order) },
    { name: 'Payment Status', value: <PaymentChip order={now} /> },
    { name: 'Pay By', value: now.payBy && <PayBy order={now} /> },
    { name: 'Shipment Status', value: <ShipmentChip order={now} /> },
    { name: 'Unit Price', value: formatDollars(order.unitPrice) },
    { name: 'Quantity', value: order.quantity },
    { name: 'Total', value: formatDollars(order.amount) },
    { name: 'Transaction', value: now.transactionId },
    { name: 'Customer Name', value: order.customerName || '–' },
    { name: 'Phone', value: order.customerPhone || '–' },
    { name: 'Shipping Address', value: order.customerAddress },
  ]
  return (
    <Dialog title={`Order #${orderNumber(order._id)}`} onClose={onClose}>
      <Picture
        src={order.image}
        sources={pictureSources(order.image)}
        sizes="14rem"
        alt=""
        className="mx-auto mb-4 max-w-56"
      />
      <DescriptionList items={items} />
      <OrderRefunds refunds={now.refunds ?? []} />
      <OrderTimeline order={whole} />
    </Dialog>
  )
}
