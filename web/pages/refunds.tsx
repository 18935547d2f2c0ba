import { useQuery } from '@tanstack/react-query'
import { formatDollars } from '../../contract/money.ts'
import type { Refund } from '../../contract/payments.ts'
import { orderNumber, RefundChip, refundReason } from '../features/orders/order-labels.tsx'
import { refundPageQuery } from '../features/orders/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Email } from '../ui/email.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Refunds' })

/** All refunds, newest first. */
export default function Refunds() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const refunds = useQuery(refundPageQuery({ page, pageSize }))
  return (
    <>
      <PageHead
        title="Refunds"
        note="Paid orders that were cancelled, and payments without a matching order. The shop makes them automatically."
      />
      <ListView
        caption="Refunds"
        failure="The refunds could not be loaded"
        list={refunds}
        columns={columns}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState title="No refunds">
            Cancelled orders that were paid appear here, and payments for cancelled orders, for orders that
            were already paid, or with a wrong amount.
          </EmptyState>
        }
      />
    </>
  )
}

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const moment = (at: string) => (
  <time dateTime={at} className="tabular-nums">
    {moments.format(new Date(at))}
  </time>
)

const columns: Column<Refund>[] = [
  {
    head: 'Order',
    names: true,
    cell: ({ orderId, customerEmail = '' }) => (
      <>
        {/* A cancelled order has no details, so this links to its audit entries. */}
        <a href={`/dashboard/audit?subject=${orderId}`} className="text-signal underline">
          #{orderNumber(orderId)}
        </a>
        <span className="block text-sm font-normal text-quiet">
          <Email email={customerEmail} />
        </span>
      </>
    ),
  },
  { head: 'Amount', numeric: true, cell: ({ amount }) => formatDollars(amount) },
  { head: 'Reason', cell: refundReason },
  { head: 'Created', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'Status', cell: (refund) => <State refund={refund} /> },
  {
    head: 'Payment IDs',
    cell: ({ intentId, refundId }) => (
      <span className="text-sm break-all">
        {intentId}
        {refundId && <span className="block">{refundId}</span>}
      </span>
    ),
  },
]

/** State of a refund: its completion time or next check, and the last error. */
function State({ refund }: { refund: Refund }) {
  const { status, updatedAt, nextAttemptAt, failures, failure } = refund
  return (
    <>
      <RefundChip refund={refund} />
      <span className="mt-1 block text-sm text-quiet">
        {status === 'succeeded' && moment(updatedAt)}
        {nextAttemptAt && <>Next attempt {moment(nextAttemptAt)}</>}
      </span>
      {failure && (
        <span className="block text-sm wrap-anywhere text-bad">
          Failed {failures === 1 ? 'once' : `${failures} times`}: {failure}
        </span>
      )}
    </>
  )
}
