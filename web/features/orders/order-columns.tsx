import { formatDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Column } from '../../ui/data-table.tsx'
import { PaymentChip, ShipmentChip } from './order-chips.tsx'

export interface OrderColumnsOptions {
  /** What the shipment is called: customers and admins have different words for it. */
  shipmentHead: 'Shipment' | 'Status'
  action: (order: Order) => React.ReactNode
}

/** The columns of both lists of orders. */
export function orderColumns({ shipmentHead, action }: OrderColumnsOptions): Column<Order>[] {
  return [
    { head: 'Name', sort: 'productName', names: true, cell: (order) => order.productName },
    { head: 'Quantity', sort: 'quantity', numeric: true, cell: (order) => order.quantity },
    { head: 'Total', sort: 'amount', numeric: true, cell: (order) => formatDollars(order.amount) },
    { head: 'Payment', cell: (order) => <PaymentChip order={order} /> },
    { head: shipmentHead, cell: (order) => <ShipmentChip order={order} /> },
    { head: 'Action', cell: action },
  ]
}
