import { RefundList } from '../features/orders/refund-list.tsx'
import { pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useListParams } from '../ui/list-params.ts'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => pageMeta('Refunds')

export default function Refunds() {
  return (
    <>
      <PageHead
        title="Refunds"
        note="Money that came and settled no order. It goes back in full, by itself."
      />
      <RefundList
        params={useListParams()}
        empty={
          <EmptyState title="No refunds">
            Money for an order that was cancelled or paid already meanwhile, or of another amount, will stand
            here.
          </EmptyState>
        }
      />
    </>
  )
}
