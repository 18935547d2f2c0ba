import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Order } from '../../contract/orders.ts'
import { ApiError, call } from '../api.ts'
import { useUser } from '../features/identity/session.ts'
import { CheckoutSteps } from '../features/orders/checkout-steps.tsx'
import { orderNumber, PayBy } from '../features/orders/order-labels.tsx'
import { OrderSummary } from '../features/orders/order-summary.tsx'
import { orderQuery, useRefreshOrders } from '../features/orders/queries.ts'
import { AfterPayment } from '../features/payments/after-payment.tsx'
import { Payment, type PaymentCalls, usePayment } from '../features/payments/payment.tsx'
import { QueryError } from '../query-error.tsx'
import type { PageProps } from '../router/page.ts'
import { useSettings } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Payment' })

type Params = Pick<PageProps<null, 'id'>, 'params'>

export const Pending = ({ params }: Params) => (
  <>
    <PageHead title={nameOrder(params.id)}>
      <CheckoutSteps current={1} />
    </PageHead>
    <FullSpinner />
  </>
)

const nameOrder = (id: string) => `Payment for Order #${orderNumber(id)}`

export default function PaymentPage({ params }: PageProps<null, 'id'>) {
  const order = useQuery({ ...orderQuery(params.id), refetchOnWindowFocus: 'always' })
  const changed = useRefreshOrders()

  if (order.isError && !order.data) return <NoOrder order={order} />
  if (!order.data) return <Pending params={params} />
  return <LoadedPayment key={params.id} query={order} order={order.data} onChanged={changed} />
}

interface LoadedPaymentProps {
  query: UseQueryResult
  order: Order
  onChanged: () => Promise<void>
}

function LoadedPayment({ query, order, onChanged }: LoadedPaymentProps) {
  const { stripe } = useSettings()
  const { role, email } = useUser()
  const calls = paymentCalls(order)
  const state = usePayment(toPayable(order), calls, onChanged)
  // The order has expired, or was cancelled elsewhere.
  if (isMissing(query) && !state.isPaid) return <NoOrder order={query} />
  return (
    <>
      <PageHead title={nameOrder(order._id)}>
        <CheckoutSteps current={state.isPaid ? 2 : 1} />
        {/* The side menu of admins has no link to their own orders. */}
        {role === 'admin' && (
          <a
            href="/dashboard/my-orders"
            className="flex min-h-11 items-center font-semibold text-signal underline"
          >
            My Orders
          </a>
        )}
      </PageHead>
      <div className="flex max-w-narrow flex-col gap-6">
        <OrderSummary lines={order.lines ?? []} charges={order.charges ?? []} total={order.amount} />
        {order.payBy && !state.isPaid && (
          <p>
            Please pay by{' '}
            <strong>
              <PayBy order={order} />
            </strong>
            . After that we cancel the order.
          </p>
        )}
        <Payment
          order={toPayable(order)}
          calls={calls}
          state={state}
          settings={stripe}
          onChanged={onChanged}
        />
        {state.isPaid && (
          <AfterPayment email={email} pickup={order.pickup} orderUrl={`/order/${order._id}`} />
        )}
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

const isMissing = ({ error }: UseQueryResult) => error instanceof ApiError && error.status === 404

function NoOrder({ order }: { order: UseQueryResult }) {
  return (
    <div className="py-8 md:py-12">
      {isMissing(order) ? (
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
