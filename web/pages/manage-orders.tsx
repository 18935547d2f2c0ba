import type { Order } from '../../contract/orders.ts'
import { readMessage } from '../api.ts'
import { OrderList } from '../features/orders/order-list.tsx'
import { useShipOrder } from '../features/orders/queries.ts'
import { useListParams } from '../list-view.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Manage Orders' })

export default function ManageOrders() {
  const params = useListParams()
  const isToShip = params.filter('status') === 'paid'
  return (
    <>
      <PageHead title="Manage Orders">
        <nav aria-label="Status" className="flex gap-2">
          <FilterLink href={params.filterLink('status', '')} isCurrent={!isToShip}>
            All
          </FilterLink>
          <FilterLink href={params.filterLink('status', 'paid')} isCurrent={isToShip}>
            To ship
          </FilterLink>
        </nav>
        <SearchBox label="Search orders" value={params.q} onSearch={params.search} />
      </PageHead>
      <OrderList
        params={params}
        status={isToShip ? 'paid' : undefined}
        shipmentHead="Status"
        nextStep={(order) => <DeliverButton order={order} />}
        searched="order"
        empty={
          isToShip ? (
            <EmptyState title="Nothing to ship">
              Paid orders appear here until all of their items are shipped.
            </EmptyState>
          ) : (
            <EmptyState title="No orders yet">Customer orders will appear here, newest first.</EmptyState>
          )
        }
      />
    </>
  )
}

const FilterLink = ({ isCurrent, ...rest }: { href: string; isCurrent: boolean; children: string }) => (
  <LinkButton variant={isCurrent ? 'ink' : 'quiet'} aria-current={isCurrent ? 'page' : undefined} {...rest} />
)

/** Ships all open items of an order. Renders nothing if the order cannot be shipped. */
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
