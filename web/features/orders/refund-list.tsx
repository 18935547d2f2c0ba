import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import type { Refund } from '../../../contract/payments.ts'
import { readMessage } from '../../api.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Email } from '../../ui/email.tsx'
import type { ListParams } from '../../ui/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { orderNumber } from './order-labels.ts'
import { refundPageQuery } from './queries.ts'
import { RefundChip } from './refund-chip.tsx'
import { refundReason } from './refund-labels.ts'

const pageSize = 20
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

/** Refunds of payments that did not settle an order, newest first. */
export function RefundList({ params, empty }: { params: ListParams; empty: ReactNode }) {
  const refunds = useQuery(refundPageQuery({ page: params.page, pageSize }))
  return (
    <ListView
      caption="Refunds"
      failure={{ title: 'The refunds could not be loaded', message: readMessage }}
      list={refunds}
      columns={columns}
      rowKey={({ id }) => id}
      params={params}
      pageSize={pageSize}
      empty={empty}
    />
  )
}
