import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import { type OrderStatus, orderSorts } from '../../../contract/order-status.ts'
import type { Order } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { ListView, type ListViewProps } from '../../list-view.tsx'
import { cancelTitle } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { GuestChip, PaymentChip, ShipmentChip } from './order-chips.tsx'
import { OrderDetails } from './order-details.tsx'
import { OrderPicture, orderDate, orderNumber, PayBy } from './order-labels.tsx'
import { orderPageQuery, useCancelOrder } from './queries.ts'

interface OrderListProps extends Pick<ListViewProps<Order>, 'params' | 'searched' | 'empty' | 'orderings'> {
  /** Lists only the orders of this customer; all orders if omitted, and none while it is empty. */
  email?: string
  /** Lists only orders with this status. */
  status?: OrderStatus | undefined
  /** Heading of the shipment column; customers and admins see different ones. */
  shipmentHead: 'Shipment' | 'Status'
  /** Renders a further action, besides Details and Cancel. */
  nextStep: (order: Order) => ReactNode
}

/** A page of orders with dialogs for details and cancellation. */
export function OrderList({ params, email, status, shipmentHead, nextStep, ...rest }: OrderListProps) {
  const [opened, setOpened] = useState<{ order: Order; dialog: 'details' | 'cancel' } | null>(null)
  const query = orderPageQuery({ ...params.toQuery(orderSorts), email, status })
  const orders = useQuery({ ...query, enabled: email !== '' })
  const close = () => setOpened(null)

  const action = (order: Order) => (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
      {nextStep(order)}
      <Button variant="quiet" size="small" onClick={() => setOpened({ order, dialog: 'details' })}>
        Details
      </Button>
      {!order.payment && !order.processing && (
        <Button variant="danger" size="small" onClick={() => setOpened({ order, dialog: 'cancel' })}>
          Cancel
        </Button>
      )}
    </div>
  )

  // The list of several customers is for admins.
  const forAdmin = email === undefined
  const columns: Column<Order>[] = [
    {
      head: 'Name',
      sort: 'productName',
      names: true,
      cell: (order) => <ProductCell order={order} forAdmin={forAdmin} />,
    },
    { head: 'Quantity', sort: 'quantity', numeric: true, cell: (order) => order.quantity },
    { head: 'Total', sort: 'amount', numeric: true, cell: (order) => formatDollars(order.amount) },
    {
      head: 'Payment',
      cell: (order) => (
        <>
          <PaymentChip order={order} />
          {order.payBy && (
            <span className="mt-1 block text-sm text-quiet">
              Pay by <PayBy order={order} />
            </span>
          )}
        </>
      ),
    },
    { head: shipmentHead, cell: (order) => <ShipmentChip order={order} /> },
    { head: 'Action', cell: action, actions: true },
  ]

  return (
    <>
      <ListView
        caption="Orders"
        failure="The orders could not be loaded"
        list={orders}
        columns={columns}
        rowKey={(order) => order._id}
        params={params}
        {...rest}
      />
      {opened?.dialog === 'details' && (
        <OrderDetails order={opened.order} forAdmin={forAdmin} onClose={close} />
      )}
      {opened?.dialog === 'cancel' && <CancelDialog order={opened.order} onClose={close} />}
    </>
  )
}

/** Picture and name of an order, with its number and date; for admins with its customer. */
function ProductCell({ order, forAdmin }: { order: Order; forAdmin: boolean }) {
  return (
    <span className="flex items-center gap-3 max-md:justify-end">
      <OrderPicture
        order={order}
        sizes="4rem"
        loading="lazy"
        className="w-16! shrink-0 rounded-control bg-surface max-lg:hidden"
      />
      <span className="min-w-0">
        {order.productName}
        {!forAdmin && (
          <span className="block text-sm font-normal text-quiet">
            #{orderNumber(order._id)} · {orderDate(order)}
          </span>
        )}
        {forAdmin && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-normal text-quiet max-md:justify-end">
            <span className="break-all">{order.customerEmail}</span>
            <GuestChip order={order} />
          </span>
        )}
      </span>
    </span>
  )
}

/** Asks for confirmation, then cancels the order. */
function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const cancel = useCancelOrder()
  const confirm = () =>
    cancel.mutate(order._id, {
      onSuccess: () => {
        showToast('success', 'Order Canceled Successfully')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={cancelTitle}
      busy={cancel.isPending}
      failure={cancel.isError ? readMessage(cancel.error) : ''}
      onYes={confirm}
      onClose={onClose}
    >
      Order #{orderNumber(order._id)}: {describeItems(order)} back on the shelf.
    </ConfirmDialog>
  )
}

const describeItems = ({ lineCount, quantity, productName }: Order): string =>
  lineCount > 1
    ? `${lineCount} items. We put them`
    : `${quantity} × ${productName}. We put ${quantity > 1 ? 'them' : 'it'}`
