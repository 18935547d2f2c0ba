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
        note="Payments without a matching order. They are refunded in full automatically."
      />
      <RefundList
        params={useListParams()}
        empty={
          <EmptyState title="No refunds">
            Payments for cancelled or already paid orders, or of a wrong amount, appear here.
          </EmptyState>
        }
      />
    </>
  )
}
