import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Order, orderSorts } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { knownSort, type ListParams } from '../../ui/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { type OrderColumnsOptions, orderColumns } from './order-columns.tsx'
import { OrderDetails } from './order-details.tsx'
import { orderPageQuery } from './queries.ts'

const pageSize = 20

export interface OrderListProps {
  params: ListParams
  /** Lists only the orders of this customer; all orders if omitted. */
  email?: string
  shipmentHead: OrderColumnsOptions['shipmentHead']
  /** Renders a further action, besides Details and Cancel. */
  nextStep: (order: Order) => ReactNode
  /** Shown instead of an empty table. */
  empty: ReactNode
}

/** A page of orders with dialogs for details and cancellation. */
export function OrderList({ params, email, shipmentHead, nextStep, empty }: OrderListProps) {
  const [opened, setOpened] = useState<{ order: Order; dialog: 'details' | 'cancel' } | null>(null)
  const { page, q } = params
  const sort = knownSort(orderSorts, params.sort)
  const orders = useQuery(orderPageQuery({ page, pageSize, sort, q: q || undefined, email }))
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

  return (
    <>
      <ListView
        caption="Orders"
        failure={{ title: 'The orders could not be loaded', message: readMessage }}
        list={orders}
        columns={orderColumns({ shipmentHead, customers: email === undefined, action })}
        rowKey={(order) => order._id}
        params={params}
        pageSize={pageSize}
        empty={empty}
      />
      {opened?.dialog === 'details' && <OrderDetails order={opened.order} onClose={close} />}
      {opened?.dialog === 'cancel' && <CancelDialog order={opened.order} onClose={close} />}
    </>
  )
}
