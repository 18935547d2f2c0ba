import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Order } from '../../contract/orders.ts'
import { ApiError, call } from '../api.ts'
import { useUser } from '../features/identity/session.ts'
import { orderNumber, PayBy } from '../features/orders/order-labels.tsx'
import { OrderSummary } from '../features/orders/order-summary.tsx'
import { orderQuery, useRefreshOrders } from '../features/orders/queries.ts'
import { Payment, type PaymentCalls } from '../features/payments/payment.tsx'
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
        <OrderSummary
          lines={order.data.lines ?? []}
          charges={order.data.charges ?? []}
          total={order.data.amount}
        />
        {order.data.payBy && (
          <p>
            Please pay by{' '}
            <strong>
              <PayBy order={order.data} />
            </strong>
            . After that we cancel the order.
          </p>
        )}
        <Payment
          order={toPayable(order.data)}
          calls={paymentCalls(order.data)}
          settings={stripe}
          onChanged={changed}
        />
      </div>
    </>
  )
}

const toPayable = (order: Order) => ({
  id: order._id,
  amount: order.amount,
  name: order.customerName,
  email: order.customerEmail,
  isPaid: order.payment,
  isProcessing: order.processing === true,
  hasFailed: order.history?.at(-1)?.kind === 'payment_failed',
  transactionId: order.transactionId,
})

const paymentCalls = ({ _id: orderId, amount }: Order): PaymentCalls => ({
  open: async (signal) =>
    (await call('createPaymentIntent', { body: { amount, orderId }, signal })).client_secret,
  confirm: (transactionId) => call('payOrder', { params: { id: orderId }, body: { transactionId } }),
})

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
