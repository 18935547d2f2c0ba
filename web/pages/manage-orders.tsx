import { DeliverButton } from '../features/orders/deliver-button.tsx'
import { OrderList } from '../features/orders/order-list.tsx'
import { pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useListParams } from '../ui/list-params.ts'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export const meta = () => pageMeta('Manage Orders')

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
        empty={
          params.q ? (
            <NothingFound thing="order" q={params.q} />
          ) : (
            <EmptyState title="No orders yet">Customer orders will appear here, newest first.</EmptyState>
          )
        }
      />
    </>
  )
}
