import type { UseQueryResult } from '@tanstack/react-query'
import type { Order, OrderEvent } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

const labels: Record<OrderEvent['kind'], string> = {
  placed: 'Order placed',
  options: 'Size and colour chosen',
  processing: 'Payment processing',
  payment_failed: 'Payment failed',
  paid: 'Paid',
  shipped: 'Shipped',
  cancelled: 'Cancelled',
  expired: 'Cancelled: not paid in time',
  refund_due: 'Refund due in full',
  refunded: 'Refunded in full',
  refund_failed: 'Refund failed, retrying',
}

const roles: Record<OrderEvent['by'], string> = {
  customer: 'by the customer',
  admin: 'by an admin',
  shop: 'by the system',
}

/** History of an order, oldest event first, with the person or role that caused it. */
export function OrderTimeline({ order }: { order: UseQueryResult<Order> }) {
  return (
    <section aria-label="History" className="mt-6">
      <h3 className="mb-3 font-display text-xl font-bold">History</h3>
      {order.isError && (
        <ErrorState
          title="The history could not be loaded"
          message={readMessage(order.error)}
          onRetry={() => void order.refetch()}
        />
      )}
      {order.isPending && <Spinner className="mx-auto size-8 text-signal" />}
      <ol className="border-l-2 border-line">
        {order.data?.history?.map(({ kind, at, by, email }) => (
          <li key={`${kind} ${at}`} className="relative pb-4 pl-5 last:pb-0">
            <span aria-hidden className="absolute top-1.5 -left-[7px] size-3 rounded-full bg-ink" />
            <span className="block font-semibold">{labels[kind]}</span>
            <span className="text-sm text-quiet tabular-nums">
              <time dateTime={at}>{moments.format(new Date(at))}</time>, {roles[by]}
              {email && <span className="block break-all">{email}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
