import { DeliverButton } from '../features/orders/deliver-button.tsx'
import { OrderList } from '../features/orders/order-list.tsx'
import { pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useListAddress } from '../ui/list-params.ts'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export const meta = () => pageMeta('Manage Orders')

export default function ManageOrders() {
  const address = useListAddress()
  return (
    <>
      <PageHead title="Manage Orders">
        <SearchBox label="Search orders" value={address.q} onSearch={address.search} />
      </PageHead>
      <OrderList
        address={address}
        shipmentHead="Status"
        nextStep={(order) => <DeliverButton order={order} />}
        empty={
          address.q ? (
            <NothingFound thing="order" q={address.q} />
          ) : (
            <EmptyState title="No orders yet">What customers order will stand here, newest first.</EmptyState>
          )
        }
      />
    </>
  )
}
