import { type ReactNode, useState } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { ConfirmChange } from '../../confirm-change.tsx'
import { ListView, type ListViewProps } from '../../list-view.tsx'
import type { PageLocation } from '../../router/page.ts'
import { useLocation } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { usePermissions } from '../staff/permissions.tsx'
import { GuestChip, PaymentChip, ShipmentChip } from './order-chips.tsx'
import { OrderDetails } from './order-details.tsx'
import { cancelTitle, OrderPicture, orderDate, orderNumber, PayBy } from './order-labels.tsx'
import { useCancelOrder } from './queries.ts'

interface OrderListProps<Row extends Order>
  extends Pick<ListViewProps<Row>, 'list' | 'params' | 'searched' | 'empty' | 'orderings'> {
  /** Shows the customer, and details for admins. */
  forAdmin?: boolean
  /** Renders a further action, besides Details and Cancel. */
  nextStep: (order: Row) => ReactNode
  /** Renders more below the name of an order. */
  remark?: (order: Row) => ReactNode
}

interface OpenDialog {
  order: Order
  name: 'details' | 'cancel'
  /** The page on which it was opened. */
  location: PageLocation
}

/** A page of orders with dialogs for details and cancellation. */
export function OrderList<Row extends Order>(props: OrderListProps<Row>) {
  const { forAdmin = false, nextStep, remark, ...rest } = props
  const location = useLocation()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  // A link in the dialog, such as a tag, can lead to this page. Then the list is shown without the dialog.
  const opened = dialog?.location === location ? dialog : null
  const open = (order: Order, name: OpenDialog['name']) => setDialog({ order, name, location })
  const close = () => setDialog(null)
  const mayCancel = usePermissions().has('cancel') || !forAdmin

  const actionClass = forAdmin
    ? 'md:max-xl:flex-col md:max-xl:items-end xl:ml-auto xl:w-max'
    : 'md:max-lg:flex-col md:max-lg:items-end lg:ml-auto lg:w-max'
  const action = (order: Row) => (
    <div className={`flex flex-wrap justify-end gap-2 ${actionClass}`}>
      {nextStep(order)}
      <Button variant="quiet" size="small" onClick={() => open(order, 'details')}>
        Details
      </Button>
      {mayCancel && order.status === 'unpaid' && !order.processing && (
        <Button variant="danger" size="small" onClick={() => open(order, 'cancel')}>
          Cancel
        </Button>
      )}
    </div>
  )

  const columns: Column<Row>[] = [
    {
      head: 'Name',
      sort: 'productName',
      names: true,
      onPhone: forAdmin ? 'whole' : undefined,
      cell: (order) => (
        <ProductCell order={order} forAdmin={forAdmin}>
          {remark?.(order)}
        </ProductCell>
      ),
    },
    { head: 'Quantity', sort: 'quantity', numeric: true, cell: (order) => order.quantity },
    { head: 'Total', sort: 'amount', numeric: true, cell: (order) => formatDollars(order.amount) },
    {
      head: 'Payment',
      cell: (order) => (
        <>
          <PaymentChip order={order} />
          {order.payBy && (
            <span className={`mt-1 block text-sm text-quiet ${forAdmin ? 'max-md:hidden' : ''}`}>
              Pay by <PayBy order={order} />
            </span>
          )}
        </>
      ),
    },
    { head: forAdmin ? 'Status' : 'Shipment', cell: (order) => <ShipmentChip order={order} /> },
    { head: 'Action', cell: action, actions: true },
  ]
  // An admin sees more orders at a time. On a phone the rest is in the details.
  if (forAdmin) for (const column of columns) column.onPhone ??= 'inline'

  return (
    <>
      <ListView
        caption="Orders"
        failure="The orders could not be loaded"
        columns={columns}
        rowKey={(order) => order._id}
        {...rest}
      />
      {opened?.name === 'details' && (
        <OrderDetails order={opened.order} forAdmin={forAdmin} onClose={close} />
      )}
      {opened?.name === 'cancel' && <CancelDialog order={opened.order} onClose={close} />}
    </>
  )
}

interface ProductCellProps {
  order: Order
  forAdmin: boolean
  children?: ReactNode
}

/** Picture and name of an order, with its number and date; for admins with its customer. */
function ProductCell({ order, forAdmin, children }: ProductCellProps) {
  const parts = [`#${orderNumber(order._id)}`, orderDate(order), forAdmin && order.customerName]
  return (
    <span className={`flex items-center gap-3 ${forAdmin ? '' : 'max-md:justify-end'}`}>
      <OrderPicture
        order={order}
        sizes="4rem"
        loading="lazy"
        // A phone has space for it beside the name of an order, but not with 200 % text, nor in the dense list of an admin.
        className={`w-16! shrink-0 rounded-control bg-surface ${forAdmin ? 'max-lg:hidden' : 'md:max-lg:hidden max-[14rem]:hidden'}`}
      />
      <span className={`min-w-0 ${forAdmin ? 'xl:min-w-48' : ''}`}>
        {order.productName}
        <span className="block text-sm font-normal text-quiet">{parts.filter(Boolean).join(' · ')}</span>
        {forAdmin && (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-normal text-quiet">
            <span className={`break-all ${order.customerName ? 'max-md:hidden' : ''}`}>
              {order.customerEmail}
            </span>
            <GuestChip order={order} />
            {children}
          </span>
        )}
      </span>
    </span>
  )
}

/** Asks for confirmation, then cancels the order. */
function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  return (
    <ConfirmChange
      title={cancelTitle}
      change={useCancelOrder()}
      input={order._id}
      done="Order Canceled Successfully"
      onClose={onClose}
    >
      Order #{orderNumber(order._id)}: {describeItems(order)} back on the shelf.
    </ConfirmChange>
  )
}

const describeItems = ({ lineCount, quantity, productName }: Order): string =>
  lineCount > 1
    ? `${lineCount} items. We put them`
    : `${quantity} × ${productName}. We put ${quantity > 1 ? 'them' : 'it'}`
