import type { Order } from '../../contract/orders.ts'
import { useUser } from '../features/identity/session.ts'
import { OrderList } from '../features/orders/order-list.tsx'
import { useListParams } from '../list-view.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'My Orders' })

const payLink = (order: Order) =>
  order.payment || order.processing ? null : (
    <LinkButton href={`/dashboard/payment/${order._id}`} size="small">
      Pay
    </LinkButton>
  )

export default function MyOrders() {
  const { email } = useUser()
  const params = useListParams()
  return (
    <>
      <PageHead title="My Orders" />
      <OrderList
        params={params}
        email={email}
        shipmentHead="Shipment"
        nextStep={payLink}
        empty={
          <EmptyState
            title="No orders yet"
            action={<LinkButton href="/products">Browse the products</LinkButton>}
          >
            Your orders and their status will appear here.
          </EmptyState>
        }
      />
    </>
  )
}
