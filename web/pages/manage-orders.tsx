import type { Order } from '../../contract/orders.ts'
import { readMessage } from '../api.ts'
import { OrderList } from '../features/orders/order-list.tsx'
import { useShipOrder } from '../features/orders/queries.ts'
import { useListParams } from '../list-view.tsx'
import { Button } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Manage Orders' })

export default function ManageOrders() {
  const params = useListParams()
  return (
    <>
      <PageHead title="Manage Orders">
        <SearchBox label="Search orders" value={params.q} onSearch={params.search} />
      </PageHead>
      <OrderList
        params={params}
        shipmentHead="Status"
        nextStep={(order) => <DeliverButton order={order} />}
        searched="order"
        empty={<EmptyState title="No orders yet">Customer orders will appear here, newest first.</EmptyState>}
      />
    </>
  )
}

/** Marks an order as shipped. Renders nothing if the order cannot be shipped. */
function DeliverButton({ order }: { order: Order }) {
  const ship = useShipOrder()
  if (!order.payment || order.shipment === 'Shipped' || order.status === 'refunded') return null
  return (
    <Button
      size="small"
      busy={ship.isPending}
      onClick={() => ship.mutate(order._id, { onError: (error) => showToast('error', readMessage(error)) })}
    >
      Delivered
    </Button>
  )
}
