import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatDollars } from '../../contract/money.ts'
import type { Order } from '../../contract/orders.ts'
import { ApiError } from '../api.ts'
import { useUser } from '../features/identity/session.ts'
import { OrderPicture, orderNumber, PayBy } from '../features/orders/order-labels.tsx'
import { LineName } from '../features/orders/order-lines.tsx'
import { orderQuery, useRefreshOrders } from '../features/orders/queries.ts'
import { Payment } from '../features/payments/payment.tsx'
import { QueryError } from '../query-error.tsx'
import type { PageProps } from '../router/page.ts'
import { useSettings } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Payment' })

export default function PaymentPage({ params }: PageProps<null, 'id'>) {
  const { stripe } = useSettings()
  const { role } = useUser()
  const order = useQuery({ ...orderQuery(params.id), refetchOnWindowFocus: 'always' })
  const changed = useRefreshOrders()

  if (order.isError && !order.data) return <NoOrder order={order} />
  if (!order.data) return <FullSpinner />
  return (
    <>
      <PageHead title={`Payment for Order #${orderNumber(params.id)}`}>
        {/* The side menu of admins has no link to their own orders. */}
        {role === 'admin' && (
          <a href="/dashboard/my-orders" className="font-semibold text-signal underline">
            My Orders
          </a>
        )}
      </PageHead>
      <div className="flex max-w-narrow flex-col gap-6">
        <OrderSummary order={order.data} />
        {order.data.payBy && (
          <p>
            Please pay by{' '}
            <strong>
              <PayBy order={order.data} />
            </strong>
            . After that we cancel the order.
          </p>
        )}
        <Payment order={order.data} settings={stripe} onChanged={changed} />
      </div>
    </>
  )
}

/** The lines and the total amount of the order. */
function OrderSummary({ order: { lines = [], amount } }: { order: Order }) {
  return (
    <section aria-label="Your order" className="rounded-card border border-line bg-surface">
      <ul className="divide-y divide-line">
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no id and never change
          <li key={index} className="flex items-center gap-4 p-4">
            <OrderPicture order={line} sizes="6rem" className={lines.length > 1 ? 'max-w-16' : 'max-w-24'} />
            <div className="min-w-0 grow">
              <LineName line={line} />
              <span className="text-sm text-quiet tabular-nums">
                {line.quantity} × {formatDollars(line.unitPrice)}
              </span>
            </div>
            {lines.length > 1 && <span className="tabular-nums">{formatDollars(line.total)}</span>}
          </li>
        ))}
      </ul>
      <p className="flex items-baseline justify-between gap-4 border-t border-line px-4 py-3">
        <span>Total Amount</span>
        <strong className="font-display text-3xl font-bold tabular-nums">{formatDollars(amount)}</strong>
      </p>
    </section>
  )
}

function NoOrder({ order }: { order: UseQueryResult }) {
  const deleted = order.error instanceof ApiError && order.error.status === 404
  return (
    <div className="py-8 md:py-12">
      {deleted ? (
        <EmptyState
          wholePage
          title="Order not found"
          action={<LinkButton href="/dashboard/my-orders">My Orders</LinkButton>}
        >
          It may have been cancelled. There is nothing to pay.
        </EmptyState>
      ) : (
        <QueryError wholePage title="The order could not be loaded" query={order} />
      )}
    </div>
  )
}
