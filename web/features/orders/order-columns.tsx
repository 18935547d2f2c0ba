import { formatDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { pictureSources } from '../../../contract/pictures.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Picture } from '../../ui/picture.tsx'
import { PaymentChip, ShipmentChip } from './order-chips.tsx'
import { PayBy } from './pay-by.tsx'

export interface OrderColumnsOptions {
  /** Heading of the shipment column; customers and admins see different ones. */
  shipmentHead: 'Shipment' | 'Status'
  /** True if the list has orders of several customers: each row then shows the customer's email. */
  customers: boolean
  action: (order: Order) => React.ReactNode
}

/** Columns of the customer's and the admin's order list. */
export function orderColumns({ shipmentHead, customers, action }: OrderColumnsOptions): Column<Order>[] {
  return [
    {
      head: 'Name',
      sort: 'productName',
      names: true,
      cell: (order) => <ProductCell order={order} customer={customers} />,
    },
    { head: 'Quantity', sort: 'quantity', numeric: true, cell: (order) => order.quantity },
    { head: 'Total', sort: 'amount', numeric: true, cell: (order) => formatDollars(order.amount) },
    { head: 'Payment', cell: (order) => <PaymentCell order={order} /> },
    { head: shipmentHead, cell: (order) => <ShipmentChip order={order} /> },
    { head: 'Action', cell: action, actions: true },
  ]
}

function PaymentCell({ order }: { order: Order }) {
  return (
    <>
      <PaymentChip order={order} />
      {order.payBy && (
        <span className="mt-1 block text-sm text-quiet">
          Pay by <PayBy order={order} />
        </span>
      )}
    </>
  )
}

function ProductCell({ order, customer }: { order: Order; customer: boolean }) {
  return (
    <span className="flex items-center gap-3 max-md:justify-end">
      <Picture
        src={order.image}
        sources={pictureSources(order.image)}
        sizes="4rem"
        alt=""
        loading="lazy"
        className="w-16! shrink-0 rounded-control bg-surface max-lg:hidden"
      />
      <span className="min-w-0">
        {order.productName}
        {customer && (
          <span className="block text-sm font-normal break-all text-quiet">{order.customerEmail}</span>
        )}
      </span>
    </span>
  )
}
