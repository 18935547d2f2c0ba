import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Order, type OrderQuery, orderSorts } from '../../../contract/orders.ts'
import { messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import type { ListAddress } from '../../ui/list-address.ts'
import { PagesNav } from '../../ui/pages-nav.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { type OrderColumnsOptions, orderColumns } from './order-columns.tsx'
import { OrderDetails } from './order-details.tsx'
import { orderPageQuery } from './queries.ts'

const pageSize = 20

export interface OrderListProps {
  address: ListAddress
  /** Whose orders; everybody's where it is left out. */
  email?: string
  shipmentHead: OrderColumnsOptions['shipmentHead']
  /** What else can be done with an order, beside looking at it and cancelling it. */
  nextStep: (order: Order) => ReactNode
  /** Stands in for the table where there are no orders. */
  empty: ReactNode
}

/** A page of orders, with their details and their cancellation. */
export function OrderList({ address, email, shipmentHead, nextStep, empty }: OrderListProps) {
  const [opened, setOpened] = useState<{ order: Order; dialog: 'details' | 'cancel' } | null>(null)
  const orders = useQuery(orderPageQuery(toQuery(address, email)))

  if (orders.isError) {
    return (
      <ErrorState
        title="The orders could not be loaded"
        message={messageOf(orders.error)}
        onRetry={() => void orders.refetch()}
      />
    )
  }
  if (!orders.data) return <FullSpinner />
  const { rows, total } = orders.data
  const close = () => setOpened(null)

  const action = (order: Order) => (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
      {nextStep(order)}
      <Button look="quiet" size="small" onClick={() => setOpened({ order, dialog: 'details' })}>
        Details
      </Button>
      {!order.payment && (
        <Button look="danger" size="small" onClick={() => setOpened({ order, dialog: 'cancel' })}>
          Cancel
        </Button>
      )}
    </div>
  )

  return (
    <>
      {rows.length === 0 ? (
        empty
      ) : (
        <DataTable
          caption="Orders"
          columns={orderColumns({ shipmentHead, customers: email === undefined, action })}
          rows={rows}
          rowKey={(order) => order._id}
          sortedBy={address.sort}
          sortLink={address.sortLink}
          stale={orders.isPlaceholderData}
        />
      )}
      <PagesNav page={address.page} pages={Math.ceil(total / pageSize)} link={address.pageLink} />
      {opened?.dialog === 'details' && <OrderDetails order={opened.order} onClose={close} />}
      {opened?.dialog === 'cancel' && <CancelDialog order={opened.order} onClose={close} />}
    </>
  )
}

function toQuery({ page, sort, q }: ListAddress, email: string | undefined): OrderQuery {
  const known = orderSorts.flatMap((field) => [field, `-${field}`] as const).find((name) => name === sort)
  return { page, pageSize, sort: known, q: q || undefined, email }
}
